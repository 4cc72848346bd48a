// The study page: fronts of many models, filtered; a point picked on one shows its backbones over the measured ones.

import { button, h } from "../dom";
import { FigureCard, replaceContent } from "../figure/card";
import { axis, curve, frame } from "../figure/make";
import type { Figure, Numbers, Table, Trace } from "../figure/types";
import { tableElement } from "../report/table";
import { words } from "./api";
import { dropZone } from "./drop";
import { readStudy, type Combination, type Errors, type Study } from "./study_file";

const percent = (value: number | null): number | null => (value === null ? null : 100 * value);

class StudyPage {
  readonly element = h("div", { class: "explorer study" });
  private readonly error = h("p", { class: "error", role: "alert" });
  private readonly list = h("p", { class: "fit", role: "status" });
  private readonly filter = h("input", { type: "text", name: "filter", spellcheck: "false", "aria-label": "Filter models by words", placeholder: "words, e.g. iwan masing", input: () => this.filterBy() });
  private readonly models = h("div", { class: "models" });
  private readonly view = h("select", { name: "errors", "aria-label": "Errors of", change: () => void this.drawFronts() });
  private readonly chosenModel = h("select", { name: "model", "aria-label": "Model of the picked point", change: () => this.pick(Number(this.chosenModel.value), 0) });
  private readonly chosenPoint = h("input", { type: "range", name: "point", min: "0", step: "1", value: "0", "aria-label": "Point on the front", input: () => this.pick(Number(this.chosenModel.value), Number(this.chosenPoint.value)) });
  private readonly pictures = h("div", { class: "pictures" });
  private readonly parameters = h("div", { class: "picked" });
  private study?: Study;
  private shown = new Set<number>();
  private picked: [number, number] = [0, 0];
  private fronts?: FigureCard;
  private backbones: FigureCard[] = [];

  constructor() {
    this.element.append(
      h("aside", { "aria-label": "Study" },
        dropZone("Drop the result of microslip study --json, or choose it", ".json,application/json", (files) => void this.take(files[0])),
        this.list, this.error,
        h("h2", {}, "Models"), this.filter,
        h("div", { class: "row" }, button("All", "Show every model", () => this.showOnly(() => true)), button("None", "Show no model", () => this.showOnly(() => false)),
          button("Best five", "Show the five that rank first", () => this.showOnly((each) => this.rank(each.name) < 5))),
        this.models),
      this.pictures);
    this.pictures.append(h("p", { class: "prose" }, "Fronts of every model, the errors that it predicts for other modes, and the backbones of any point on a front. Make a result with microslip study STUDY.toml --json -o study.json."));
  }

  private async take(file: File): Promise<void> {
    try {
      this.open(readStudy(await file.text(), file.name));
      this.list.textContent = `${file.name}: ${this.study!.combinations.length} models, ${this.study!.measured.length} modes`;
      this.error.textContent = "";
      await this.drawFronts();
      this.pick(Math.max(0, this.study!.combinations.findIndex((each) => this.rank(each.name) === 0)), 0);
      this.element.dataset.opened = String(Number(this.element.dataset.opened ?? "0") + 1);
    } catch (error) {
      this.error.textContent = words(error);
    }
  }

  private rank(name: string): number {
    const at = this.study!.ranking.indexOf(name);
    return at < 0 ? Infinity : at;
  }

  private open(study: Study): void {
    this.study = study;
    this.shown = new Set(study.combinations.map((_, i) => i));
    this.filter.value = "";
    this.view.replaceChildren(h("option", { value: "-1" }, "fitted modes together"),
      ...study.measured.map((mode, i) => h("option", { value: String(i) }, `mode ${mode.mode}${mode.fitted ? " (fitted)" : " (predicted)"}`)));
    this.chosenModel.replaceChildren(...study.combinations.map((each, i) => h("option", { value: String(i) }, each.name)));
    this.models.replaceChildren(...study.combinations.map((each, i) => h("label", { class: "model", "data-model": each.name },
      h("input", { type: "checkbox", checked: true, "aria-label": each.name, change: (event) => {
        if ((event.target as HTMLInputElement).checked) this.shown.add(i);
        else this.shown.delete(i);
        void this.drawFronts();
      } }), h("span", {}, each.name), h("span", { class: "unit" }, Number.isFinite(this.rank(each.name)) ? `rank ${this.rank(each.name) + 1}` : ""))));
    this.fronts = new FigureCard(this.frontFigure(), (_, step) => this.pick(...this.decode(step)));
    for (const card of this.backbones) card.dispose();
    this.backbones = [];
    replaceContent(this.pictures,
      h("div", { class: "row" }, h("label", {}, "Errors of ", this.view)),
      h("div", { class: "figures" }, this.fronts.element),
      h("div", { class: "row" }, h("label", {}, "Picked: ", this.chosenModel), h("label", { class: "grow" }, "point ", this.chosenPoint)),
      this.parameters, tableElement(this.rankingTable()));
    this.fronts.element.classList.add("wide");
  }

  // A point's number over all models, for the picture's clicks.
  private decode(step: number): [number, number] {
    let model = 0;
    for (const each of this.study!.combinations) {
      if (step < each.front.length) break;
      step -= each.front.length;
      ++model;
    }
    return [model, step];
  }

  private before(model: number): number {
    return this.study!.combinations.slice(0, model).reduce((sum, each) => sum + each.front.length, 0);
  }

  private errorsOf(each: Combination, point: number): Errors {
    const own = each.front[point], mode = Number(this.view.value);
    return mode >= 0 ? own.modes[mode] : own;
  }

  private frontFigure(): Figure {
    const study = this.study!, traces: Trace[] = [];
    study.combinations.forEach((each, i) => {
      if (!this.shown.has(i)) return;
      const errors = each.front.map((_, k) => this.errorsOf(each, k));
      traces.push(curve(each.name, errors.map((e) => percent(e.frequency)), errors.map((e) => percent(e.damping)), {
        mark: Number(this.view.value) < 0 ? "line_markers" : "markers", colour: i % 8, dash: (["solid", "dash", "dot"] as const)[Math.floor(i / 8) % 3], legend: this.shown.size <= 12,
        hover: each.front.map((_, k) => `${each.name}, point ${k + 1} of ${each.front.length}`), picks: each.front.map((_, k) => this.before(i) + k) }));
    });
    const mode = Math.max(0, Number(this.view.value) >= 0 ? Number(this.view.value) : study.measured.findIndex((m) => m.fitted));
    const scatter = study.measured[mode]?.variability;
    if (scatter?.frequency && scatter?.damping) {
      const x = 100 * scatter.frequency, y = 100 * scatter.damping, least = 1e-3;
      traces.push(curve("scatter of the measurement", [x, x, least * x], [least * y, y, y], { colour: 8, dash: "dash", legend: true }));
    }
    const [model, point] = this.picked, chosen = study.combinations[model];
    if (chosen?.front[point] && this.shown.has(model)) {
      const e = this.errorsOf(chosen, point);
      traces.push(curve("picked", [percent(e.frequency)], [percent(e.damping)], { mark: "markers", colour: 6, legend: true }));
    }
    const range = this.range(traces);
    return frame("fronts", "Errors of every point", { ...axis("frequency error", "%", "log"), ...range.x }, [{ ...axis("damping error", "%", "log"), ...range.y }],
      { traces, picks: "backbones", wide: true, caption: "Click a point to see its backbones. Down and left is better; inside the dashed corner a model is as good as the measurement repeats." });
  }

  /// As wide as the fronts: the measurement's corner reaches to zero, which a logarithmic axis cannot.
  private range(traces: Trace[]): { x: { range?: [number, number] }; y: { range?: [number, number] } } {
    const reach = (pick: (trace: Trace) => Numbers): { range?: [number, number] } => {
      const all = traces.filter((trace) => trace.dash !== "dash" || trace.colour !== 8).flatMap(pick).filter((v): v is number => v !== null && v > 0);
      return all.length ? { range: [Math.min(...all) / 1.6, Math.max(...all) * 1.6] } : {};
    };
    return { x: reach((trace) => trace.x), y: reach((trace) => trace.y) };
  }

  private async drawFronts(): Promise<void> {
    await this.fronts?.update(this.frontFigure());
  }

  /// The picked point, or where the file holds backbones of some points only, the nearest that has them.
  private withBackbones(): number {
    const front = this.study!.combinations[this.picked[0]].front, wanted = this.picked[1];
    const known = front.flatMap((point, i) => (point.backbones ? [i] : []));
    return known.reduce((best, i) => (best < 0 || Math.abs(i - wanted) < Math.abs(best - wanted) ? i : best), -1);
  }

  private backboneFigure(index: number): Figure {
    const study = this.study!, mode = study.measured[index], own = study.combinations[this.picked[0]];
    const result = own.front[this.withBackbones()]?.backbones?.[index];
    // A sensor's metres become modal by the model's own shape; without a model's backbones they stay as they are.
    const amplitude = result?.amplitude ?? mode.amplitude;
    const traces: Trace[] = [];
    const add = (panel: number, values: Numbers, computed: Numbers | undefined, factor: number) => {
      const scaled = (list: Numbers) => list.map((v) => (v === null ? null : factor * v));
      traces.push(curve("measured", amplitude, scaled(values), { mark: "markers", panel, colour: 0, legend: panel === 0 }));
      if (computed) traces.push(curve(own.name, amplitude, scaled(computed), { panel, colour: 1, legend: panel === 0 }));
    };
    add(0, mode.frequency_hz, result?.frequency_hz, 1);
    add(1, mode.damping_ratio, result?.damping_ratio, 100);
    return frame(`backbone-${mode.mode}`, `Mode ${mode.mode}, ${mode.fitted ? "fitted" : "predicted"}`,
      result ? axis("amplitude", "√kg·m", "log") : axis("amplitude as measured", "", "log"),
      [axis("frequency", "Hz"), axis("damping ratio", "%")], { traces });
  }

  private pick(model: number, point: number): void {
    const study = this.study!;
    if (!study.combinations[model]?.front[point]) {
      this.parameters.replaceChildren(h("p", { class: "fit" }, `${study.combinations[model]?.name ?? "This model"} has no point on its front.`));
      return;
    }
    this.picked = [model, point];
    const own = study.combinations[model];
    this.chosenModel.value = String(model);
    this.chosenPoint.max = String(own.front.length - 1);
    this.chosenPoint.value = String(point);
    this.chosenPoint.setAttribute("aria-valuetext", `${point + 1} of ${own.front.length}`);
    if (this.backbones.length !== study.measured.length) this.backbones = study.measured.map((_, i) => new FigureCard(this.backboneFigure(i)));
    const shown = this.withBackbones();
    const notice = shown === point ? null : h("p", { class: "fit", role: "status" }, shown < 0 ? "The file holds no backbones of this model." : `The file holds backbones of some points only: shown are those of point ${shown + 1}.`);
    this.parameters.replaceChildren(...(notice ? [notice] : []), h("div", { class: "figures", id: "backbones" }, ...this.backbones.map((card) => card.element)), tableElement(this.parameterTable()));
    void Promise.all(this.backbones.map((card, i) => card.update(this.backboneFigure(i)))).then(() => this.drawFronts()).then(() => (this.element.dataset.picked = `${own.name} ${point}`));
  }

  private parameterTable(): Table {
    const [model, point] = this.picked, own = this.study!.combinations[model];
    return { id: "picked", title: `${own.name}, point ${point + 1} of ${own.front.length}`, caption: "", columns: [{ title: "parameter", unit: "", digits: 5 }, { title: "value", unit: "", digits: 5 }],
      rows: Object.entries(own.front[point].parameters).map(([name, value]) => [name, Number.isFinite(value) ? value : null]) };
  }

  private rankingTable(): Table {
    const study = this.study!;
    const order = study.combinations.map((each, i) => ({ each, i })).sort((a, b) => this.rank(a.each.name) - this.rank(b.each.name) || a.i - b.i);
    return { id: "ranking", title: "Ranking", caption: "Area fraction: the share of the error box that no point of the front dominates; 0 is best, 1 never enters the box.",
      columns: [{ title: "rank", unit: "", digits: 3 }, { title: "model", unit: "", digits: 3 },
        ...study.measured.map((mode) => ({ title: `area fraction, mode ${mode.mode}`, unit: "1", digits: 4 })), { title: "points", unit: "", digits: 4 }, { title: "time", unit: "s", digits: 3 }],
      rows: order.map(({ each }) => [Number.isFinite(this.rank(each.name)) ? this.rank(each.name) + 1 : null, each.name, ...study.measured.map((_, i) => each.area_fraction[i] ?? null), each.front.length, each.seconds]) };
  }

  private filterBy(): void {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.showOnly((each) => words.every((word) => each.name.toLowerCase().includes(word)));
  }

  private showOnly(wanted: (each: Combination) => boolean): void {
    if (!this.study) return;
    this.shown = new Set(this.study.combinations.flatMap((each, i) => (wanted(each) ? [i] : [])));
    this.models.querySelectorAll("input").forEach((input, i) => (input.checked = this.shown.has(i)));
    void this.drawFronts();
  }
}

export const study = async (): Promise<HTMLElement> => new StudyPage().element;
