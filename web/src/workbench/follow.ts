// A picture that keeps up with a slider: the latest wish wins.

const mostUnderWay = 2; // the second leaves while the first travels; more would only queue on the server

export class Follower<Answer> {
  private asked = 0; // questions sent so far
  private shown = 0; // the latest whose answer was shown
  private underWay = 0;
  private movedAt: number | undefined; // of the first move that no question carries yet
  private since = new Map<number, number>();

  /// `ask` reads the wish when it is called. `name` labels the times from a move to its picture (performance.measure).
  constructor(private readonly ask: () => Promise<Answer>, private readonly show: (answer: Answer) => void,
    private readonly fail: (error: unknown) => void, private readonly name: string) {}

  /// To be called at every move; while answers are under way only the latest wish is kept.
  moved(): void {
    this.movedAt ??= performance.now();
    if (this.underWay < mostUnderWay) void this.follow();
  }

  /// True where a newer wish than the one last shown is on its way.
  get behind(): boolean {
    return this.movedAt !== undefined || this.underWay > 0;
  }

  private async follow(): Promise<void> {
    const turn = ++this.asked;
    this.since.set(turn, this.movedAt!);
    this.movedAt = undefined;
    ++this.underWay;
    try {
      const answer = await this.ask();
      if (turn > this.shown) {
        this.shown = turn;
        this.show(answer);
        performance.measure(this.name, { start: this.since.get(turn) });
      }
    } catch (error) {
      if (turn > this.shown) {
        this.shown = turn;
        this.fail(error);
      }
    }
    this.since.delete(turn);
    --this.underWay;
    if (this.movedAt !== undefined) void this.follow();
  }
}

/// The frame after this one: work cut into frames lets a slider in between.
export const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

/// Does the work of the latest call only, when nothing has called for `wait` milliseconds.
export class Settle {
  private timer = 0;
  private turn = 0;

  constructor(private readonly wait = 250) {}

  /// `work` is told whether it is still wanted, and looks between its pieces.
  later(work: (wanted: () => boolean) => Promise<void>): void {
    const turn = ++this.turn;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void work(() => turn === this.turn), this.wait);
  }
}

/// How finely to ask while a slider moves: coarser where answers take longer than a frame leaves, in full at rest.
export class Resolution {
  live: number;

  constructor(readonly rest: number, private readonly least: number) {
    this.live = rest;
  }

  async timed<T>(ask: (count: number) => Promise<T>): Promise<T> {
    const count = this.live, begin = performance.now();
    const answer = await ask(count);
    const took = performance.now() - begin;
    if (took > 12) this.live = Math.max(this.least, Math.round(count / 1.3));
    else if (took < 6) this.live = Math.min(this.rest, Math.ceil(count * 1.1));
    return answer;
  }
}
