// Pictures that follow sliders: along the axes as they are while a slider moves, drawn anew when it rests. Where the page
// can work the numbers out itself it does so while a slider moves; at rest they are the server's.

import { h } from "../dom";
import { FigureCard } from "../figure/card";
import type { Figure } from "../figure/types";
import { Refused } from "./api";
import { Follower, nextFrame, Resolution, Settle } from "./follow";

export interface Live<Data, Picture extends string> {
  page: HTMLElement; // data-settled counts how often its pictures came to rest
  ask: (points: number) => Promise<Data>; // the server
  own?: (points: number) => Data | undefined; // the page itself, if it can: nobody to wait for
  points: Resolution;
  pointsOf: (data: Data) => number;
  figures: (data?: Data) => Record<Picture, Figure>;
  show: (data: Data) => void; // what else moves with a slider
}

export class LivePictures<Data, Picture extends string> {
  readonly error = h("p", { class: "error", role: "alert" });
  readonly cards: Record<Picture, FigureCard>;
  private readonly settle = new Settle();
  private readonly follower: Follower<Data>;

  constructor(private readonly live: Live<Data, Picture>) {
    this.cards = Object.fromEntries(Object.entries<Figure>(live.figures()).map(([key, figure]) => [key, new FigureCard(figure)])) as Record<Picture, FigureCard>;
    this.follower = new Follower<Data>(() => live.points.timed(async (points) => live.own?.(points) ?? live.ask(points)), (data) => this.draw(data), (error) => this.fail(error), "slider-to-picture");
  }

  /// To be called at every move of a slider.
  moved = (): void => this.follower.moved();

  private get pictures(): Picture[] {
    return Object.keys(this.cards) as Picture[];
  }

  private fail(error: unknown): void {
    this.error.textContent = error instanceof Refused ? error.message : "The server does not answer. Is microslip serve still running?";
  }

  /// At once along the axes as they are; the axes, and the points left out, follow when the slider rests.
  private draw(data: Data): void {
    this.error.textContent = "";
    const figures = this.live.figures(data);
    for (const key of this.pictures) this.cards[key].move(figures[key]);
    this.live.show(data);
    this.settle.later((wanted) => this.rest(data, wanted));
  }

  /// One picture per frame, so that a slider that moves again does not wait for all of them.
  private async rest(data: Data, wanted: () => boolean): Promise<void> {
    const { live } = this;
    try {
      const full = live.own || live.pointsOf(data) < live.points.rest ? await live.ask(live.points.rest) : data;
      if (!wanted() || this.follower.behind) return;
      const figures = live.figures(full);
      live.show(full);
      for (const key of this.pictures) {
        if (!wanted() || this.follower.behind) return;
        await this.cards[key].update(figures[key]);
        await nextFrame();
      }
      live.page.dataset.settled = String(Number(live.page.dataset.settled ?? "0") + 1);
    } catch (error) {
      this.fail(error);
    }
  }
}
