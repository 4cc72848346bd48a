// The joint explorer: a law, its numbers, and what they do; and the manual fit of Segalman (2002), by eye.

import { button, download, h } from "../dom";
import { axis, curve, frame, positive } from "../figure/make";
import type { Figure } from "../figure/types";
import { number } from "../report/table";
import { call, models, Refused, reportOf, send, words, type Curves, type CurvesRequest, type Model, type TableData } from "./api";
import { copyOut, forms, type Joint } from "./copy";
import { dropZone } from "./drop";
import { Resolution } from "./follow";
import { Laws } from "./laws";
import { LivePictures } from "./live";
import { NumberStrip } from "./numbers";
import { NumberRow, rowsOf, type Travel } from "./parameters";

interface Measured {
  name: string;
  file: number;
  force: number[];
  dissipation: number[];
}

type Picture = "loop" | "loading" | "dissipation" | "secant";

class Explorer {
  readonly element = h("div", { class: "explorer" });
  private readonly rows = h("div", { class: "parameters" });
  private readonly numbers = new NumberStrip();
  private readonly fitNotes = h("div", { class: "fit", role: "status" });
  private readonly choice: HTMLSelectElement;
  private readonly copied = h("pre", { class: "copied", "aria-live": "polite" });
  private readonly fitButton: HTMLButtonElement;
  private model: Model;
  private sliders: NumberRow[] = [];
  private amplitude!: NumberRow;
  private measured?: Measured;
  private readonly live = new LivePictures<Curves, Picture>({
    page: this.element,
    ask: (points) => call("curves", this.request(points)),
    own: (points) => this.laws?.curves(this.request(points)),
    points: new Resolution(100, 30), // laws without a closed form take longer per point
    pointsOf: (data) => data.amplitude.length,
    figures: (data) => this.figures(data),
    show: (data) => this.showNumbers(data),
  });

  constructor(table: Model[], private readonly laws?: Laws) {
    this.model = table[0];
    this.choice = h("select", { id: "law", change: () => this.choose(table.find((model) => model.name === this.choice.value)!) },
      ...table.map((model) => h("option", { value: model.name }, `${model.name}: ${model.title}`)));
    this.fitButton = button("Fit automatically", "Fit the law to the measured points", () => void this.fit());
    this.fitButton.disabled = true;
    const { cards, error } = this.live;
    this.element.append(
      h("aside", { "aria-label": "Law and parameters" },
        h("label", { class: "law", for: "law" }, "Law"), this.choice, this.rows, error,
        h("h2", {}, "Measured dissipation"),
        dropZone("Drop a CSV with force and dissipation, or choose one", ".csv,.txt,.tsv,text/csv", (files) => void this.take(files[0])),
        h("div", { class: "row" }, this.fitButton, button("Forget data", "Take the measured points away", () => this.forget())),
        this.fitNotes,
        h("h2", {}, "Take it with you"),
        h("div", { class: "row" }, ...Object.keys(forms).map((form) => button(form, `Copy the parameters as ${form}`, () => this.copy(form))),
          button("Report", "Save this loop as a report", () => void this.saveReport())),
        this.copied),
      h("div", { class: "pictures" }, this.numbers.element,
        h("div", { class: "figures" },
          h("div", { class: "column" }, cards.loop.element, cards.loading.element),
          h("div", { class: "column" }, cards.dissipation.element, cards.secant.element))));
    this.choose(this.model);
  }

  private loopFigure(data?: Curves): Figure {
    return frame("loop", "Loop", axis("displacement", "m"), [axis("force", "N")], {
      traces: [curve("loop", data?.loop.displacement ?? [], data?.loop.force ?? [])] });
  }

  private loadingFigure(data?: Curves): Figure {
    return frame("loading", "First loading", axis("displacement", "m"), [axis("force", "N")], {
      traces: [curve("first loading", [0, ...(data?.amplitude ?? [])], [0, ...(data?.monotonic_force ?? [])], { colour: 2 })] });
  }

  private secantFigure(data?: Curves): Figure {
    return frame("secant", "Secant stiffness", axis("amplitude", "m", "log"), [axis("secant stiffness", "N/m")], {
      traces: [curve("secant stiffness", data?.amplitude ?? [], data?.secant_stiffness ?? [], { colour: 3 })] });
  }

  private dissipationFigure(data?: Curves): Figure {
    const force = data?.force ?? [];
    const traces = [
      curve("model", force, positive(data?.dissipation ?? []), { colour: 1, legend: true }),
      curve("slope", force, data?.slope ?? [], { colour: 1, panel: 1 }),
      curve("curvature", force, data?.curvature ?? [], { colour: 1, panel: 2 }),
    ];
    if (this.measured) traces.push(curve(this.measured.name, this.measured.force, this.measured.dissipation, { mark: "markers", colour: 0, legend: true }));
    return frame("dissipation", "Dissipation per cycle", axis("force, zero to peak", "N", "log"),
      [axis("dissipation", "J", "log"), axis("slope", "1"), axis("curvature", "1")], { heights: [3, 1, 1], traces });
  }

  private choose(model: Model): void {
    this.model = model;
    this.choice.value = model.name;
    this.sliders = rowsOf(model, this.live.moved);
    const scale = this.naturalAmplitude();
    this.amplitude = new NumberRow({ name: "amplitude", symbol: "a", unit: "m", meaning: "displacement amplitude of the loop" },
      this.amplitudeReach(), scale, this.live.moved);
    this.rows.replaceChildren(...this.sliders.map((row) => row.element), this.amplitude.element);
    this.fitButton.disabled = !this.measured || model.name !== "iwan4";
    this.live.moved();
  }

  /// Where something is to be seen: near the displacement at which the joint slips.
  private naturalAmplitude(): number {
    const by = (name: string) => this.sliders.find((row) => row.row.name === name)?.value;
    const force = by("slip_force") ?? 1e3, stiffness = by("stiffness") ?? 1e7;
    return Number((force / stiffness).toPrecision(2));
  }

  private amplitudeReach(): Travel {
    const scale = this.naturalAmplitude();
    return { low: scale / 100, high: scale * 100, log: true };
  }

  private joint(): Joint {
    const chosen = this.sliders.filter((row) => this.model.parameters.find((p) => p.name === row.row.name)!.required || row.value !== 0);
    return { model: this.model.name, parameters: Object.fromEntries(chosen.map((row) => [row.row.name, row.value])) };
  }

  private request(points: number): CurvesRequest {
    const a = this.amplitude.value;
    const request: CurvesRequest = { ...this.joint(), amplitude: a, from: a / 1e3, to: a * 5, points };
    if (this.measured) request.measured = { force: this.measured.force, dissipation: this.measured.dissipation };
    return request;
  }

  private figures(data?: Curves): Record<Picture, Figure> {
    return { loop: this.loopFigure(data), loading: this.loadingFigure(data), dissipation: this.dissipationFigure(data), secant: this.secantFigure(data) };
  }

  private showNumbers(data: Curves): void {
    const entries = [
      { key: "dissipation", label: "Dissipation of the loop", value: data.loop.dissipation, unit: "J per cycle" },
      { key: "secant_stiffness", label: "Secant stiffness", value: data.loop.secant_stiffness, unit: "N/m" },
      { key: "force", label: "Largest force", value: Math.max(...data.loop.force.map((f) => f ?? -Infinity)), unit: "N" },
    ];
    if (data.comparison) entries.push({ key: "residual", label: "Residual, RMS of ln D", value: data.comparison.residual, unit: "" });
    this.numbers.show(entries);
  }

  private async take(file: File): Promise<void> {
    try {
      const received = await send(file);
      const table = await call<TableData>("table", { file: received.file });
      const column = (name: string): number[] => {
        const at = table.header.findIndex((head) => head.toLowerCase() === name);
        if (at < 0) throw new Refused(`${received.name}: no column '${name}' (it holds: ${table.header.join(", ") || "no header"})`);
        return table.columns[at] as number[];
      };
      this.measured = { name: received.name, file: received.file, force: column("force"), dissipation: column("dissipation") };
      this.fitNotes.replaceChildren(`${received.name}: ${this.measured.force.length} points`);
      this.live.error.textContent = "";
      this.fitButton.disabled = this.model.name !== "iwan4";
      this.live.moved();
    } catch (error) {
      this.live.error.textContent = words(error);
    }
  }

  private forget(): void {
    this.measured = undefined;
    this.fitButton.disabled = true;
    this.fitNotes.replaceChildren();
    this.live.moved();
  }

  private async fit(): Promise<void> {
    const slip = this.sliders.find((row) => row.row.name === "slip_force");
    if (!this.measured || !slip) return;
    this.fitButton.disabled = true;
    try {
      interface Fit { parameters: Record<string, number>; intervals: Record<string, [number | null, number | null] | undefined>; residual: number; notes: string[] }
      const fit = await call<Fit>("fit/dissipation", { files: [this.measured.file], slip_force: slip.value });
      for (const row of this.sliders) if (row.row.name in fit.parameters) row.set(fit.parameters[row.row.name]);
      this.amplitude.set(this.naturalAmplitude(), this.amplitudeReach());
      this.fitNotes.replaceChildren(
        h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "fitted"), h("th", { class: "number" }, "value"), h("th", { class: "number" }, "95 % interval"))),
          h("tbody", {}, ...Object.entries(fit.parameters).map(([name, value]) => {
            const ends = fit.intervals[name];
            const end = (x: number | null) => (x === null ? "open" : number(x, 4));
            const interval = ends ? `${end(ends[0])} … ${end(ends[1])}` : "given";
            return h("tr", { "data-fit": name, "data-value": String(value) }, h("th", { scope: "row" }, name), h("td", { class: "number" }, number(value, 5)), h("td", { class: "number" }, interval));
          }))),
        ...fit.notes.map((note) => h("p", {}, note)));
      this.live.error.textContent = "";
      this.live.moved();
    } catch (error) {
      this.live.error.textContent = words(error);
    }
    this.fitButton.disabled = false;
  }

  private copy(form: string): void {
    copyOut(this.copied, forms[form](this.joint(), this.amplitude.value));
  }

  private async saveReport(): Promise<void> {
    try {
      const html = await reportOf("loop", { ...this.joint(), amplitude: this.amplitude.value });
      download(`${this.model.name}-loop.html`, "text/html", html);
    } catch (error) {
      this.live.error.textContent = words(error);
    }
  }
}

export async function explorer(): Promise<HTMLElement> {
  const table = await models();
  return new Explorer(table, await Laws.load(table)).element;
}
