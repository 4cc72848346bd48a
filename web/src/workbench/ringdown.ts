// The ring-down page: a record, its spectrum, a band drawn on it, and what the decay in that band tells.

import { button, download, h } from "../dom";
import { FigureCard, replaceContent } from "../figure/card";
import type { Page } from "../figure/types";
import { reportBody } from "../report/page";
import { call, Job, send, words, type JobOutput, type ReceivedFile } from "./api";
import { dropZone } from "./drop";
import { saveModel, type ModalFit } from "./modal_model";
import { JobBar } from "./progress";

const numberField = (label: string, unit: string, name: string): [HTMLElement, HTMLInputElement] => {
  const input = h("input", { type: "text", inputmode: "decimal", spellcheck: "false", name, "aria-label": `${label} [${unit}]` });
  return [h("label", { class: "field" }, h("span", {}, label), input, h("span", { class: "unit" }, unit)), input];
};

const choice = (label: string, name: string, options: [string, string][]): [HTMLElement, HTMLSelectElement] => {
  const select = h("select", { name, "aria-label": label }, ...options.map(([value, text]) => h("option", { value }, text)));
  return [h("label", { class: "field" }, h("span", {}, label), select, h("span")), select];
};

const tick = (label: string, name: string, checked: boolean): [HTMLElement, HTMLInputElement] => {
  const input = h("input", { type: "checkbox", name, checked });
  return [h("label", { class: "tick" }, input, h("span", {}, label)), input];
};

class Ringdown {
  readonly element = h("div", { class: "explorer ringdown" });
  private readonly error = h("p", { class: "error", role: "alert" });
  private readonly list = h("p", { class: "fit", role: "status" });
  private readonly spectrum = h("div", { class: "figures" });
  private readonly results = h("div", { class: "results", id: "measured" });
  private readonly zefft = h("div", { class: "figures" });
  private readonly bar = new JobBar();
  private readonly measureButton = button("Measure", "Measure the decay in the band", () => void this.measure());
  private readonly zefftButton = button("ZEFFT", "Spectra of the record with its early time set to zero", () => void this.showZefft());
  private readonly fitButton = button("Fit modal model", "Fit a modal Iwan model to what was measured", () => void this.fit());
  private readonly jsonButton = button("Model as JSON", "Save the fitted model as microslip fit modal --json prints it", () => this.saveModel("json"));
  private readonly tomlButton = button("Model as TOML", "Save the fitted model as [[mode]] rows for simulate, respond and predict", () => this.saveModel("toml"));
  private readonly predictButton = button("Predict", "Predict this record from its force with the fitted model", () => void this.predict());
  private readonly fitOptions = h("details");
  private readonly fitted = h("div", { class: "results", id: "fitted" });
  private readonly predicted = h("div", { class: "results", id: "predicted" });
  private readonly reportButton = button("Save report", "Save what is shown as one HTML file", () => void this.save());
  private readonly mode: HTMLInputElement;
  private readonly low: HTMLInputElement;
  private readonly high: HTMLInputElement;
  private readonly rate: HTMLInputElement;
  private readonly times: HTMLInputElement;
  private readonly quantity: HTMLSelectElement;
  private readonly method: HTMLSelectElement;
  private readonly hit: HTMLInputElement;
  private readonly viscous: HTMLInputElement;
  private readonly macroSlip: HTMLInputElement;
  private readonly useFlagged: HTMLInputElement;
  private readonly shapesName = h("p", { class: "fit", role: "status" });
  private record = 0; // counts the records dropped: what still comes of an earlier one is not shown
  private files: ReceivedFile[] = [];
  private shapes?: ReceivedFile;
  private turn = 0; // of the latest work: what earlier work still answers is not wanted any more
  private shown: Job[] = []; // what the page shows: decay, fit, prediction; each leaves as a report of its own
  private measured?: object;
  private model?: ModalFit;

  constructor(verbs: string[]) {
    const fields: HTMLElement[] = [];
    const add = <T>([element, input]: [HTMLElement, T]): T => (fields.push(element), input);
    this.mode = add(numberField("mode near", "Hz", "mode"));
    this.low = add(numberField("band from", "Hz", "low"));
    this.high = add(numberField("band to", "Hz", "high"));
    this.rate = add(numberField("sampling rate", "Hz", "rate"));
    this.times = add(numberField("ZEFFT, zero until", "s", "times"));
    this.times.placeholder = "0.05, 0.3, 1";
    this.quantity = add(choice("quantity", "quantity", [["", "as the file says"], ["acceleration", "acceleration"], ["velocity", "velocity"], ["displacement", "displacement"]]));
    this.method = add(choice("method", "method", [["both", "both"], ["hilbert", "hilbert"], ["pff", "pff"]]));
    const [hitField, hit] = numberField("sensor at the hit", "", "hit");
    this.hit = hit;
    const ticks: HTMLElement[] = [];
    const choose = ([element, input]: [HTMLElement, HTMLInputElement]): HTMLInputElement => (ticks.push(element), input);
    this.viscous = choose(tick("a damper beside the joint", "viscous", true));
    this.macroSlip = choose(tick("the points may reach macro-slip", "macro_slip", true));
    this.useFlagged = choose(tick("points that the ring-down flags, too", "use_flagged", false));
    this.fitOptions.append(h("summary", {}, "Modal model"), ...ticks);
    this.busy(false);
    this.element.append(
      h("aside", { "aria-label": "Record and band" },
        dropZone("Drop a ring-down record (CSV, MAT, UFF, HDF5, LVM, WAV), or choose one", "", (files) => void this.take(files)),
        this.list, ...fields,
        h("p", { class: "fit" }, "Draw over the spectrum to choose the band. Left empty, the band is chosen from the spectrum; the sampling rate is needed only where the file has no time."),
        h("details", {}, h("summary", {}, "Shapes"),
          dropZone("Drop mass-normalised shapes (JSON or CSV) for modal coordinates, or choose them", ".json,.csv", (files) => void this.takeShapes(files[0])),
          this.shapesName, hitField),
        this.fitOptions,
        h("div", { class: "row" }, this.measureButton, this.zefftButton, this.fitButton, this.predictButton), this.bar.element, this.error,
        h("h2", {}, "Take it with you"),
        h("div", { class: "row" }, this.reportButton, this.jsonButton, this.tomlButton)),
      h("div", { class: "pictures" }, this.spectrum, this.zefft, this.results, this.fitted, this.predicted));
    this.fitButton.hidden = this.fitOptions.hidden = this.jsonButton.hidden = this.tomlButton.hidden = !verbs.includes("fit/modal");
    this.predictButton.hidden = !verbs.includes("predict");
  }

  private busy(on: boolean): void {
    this.measureButton.disabled = on || this.files.length === 0;
    this.zefftButton.disabled = this.files.length === 0;
    this.fitButton.disabled = on || !this.measured;
    this.predictButton.disabled = on || !this.model;
    this.jsonButton.disabled = this.tomlButton.disabled = !this.model;
    this.reportButton.disabled = this.shown.length === 0;
  }

  /// What was found with another record or band is gone, and so is the work that looks for it.
  private forget(from: "measured" | "model"): void {
    this.supersede();
    if (from === "measured") {
      this.measured = undefined;
      this.shown = [];
      replaceContent(this.results);
    }
    this.shown = this.shown.slice(0, 1);
    this.model = undefined;
    replaceContent(this.fitted);
    replaceContent(this.predicted);
  }

  private fail(error: unknown): void {
    this.error.textContent = words(error);
  }

  private reading(): Record<string, unknown> {
    const request: Record<string, unknown> = {};
    if (this.rate.value.trim()) request.sampling_rate_hz = Number(this.rate.value);
    if (this.quantity.value) request.quantity = this.quantity.value;
    return request;
  }

  private async take(files: File[]): Promise<void> {
    const record = ++this.record;
    this.forget("measured");
    this.files = [];
    this.busy(false);
    this.error.textContent = this.list.textContent = "";
    replaceContent(this.spectrum);
    replaceContent(this.zefft);
    try {
      const received: ReceivedFile[] = [];
      for (const file of files) {
        received.push(await send(file));
        if (record !== this.record) return;
      }
      this.files = received;
      this.list.textContent = this.files.map((file) => `${file.name} (${(file.bytes / 1024).toFixed(0)} kB)`).join(", ");
      this.busy(false);
      await this.showSpectrum();
    } catch (error) {
      if (record === this.record) this.fail(error);
    }
  }

  private async takeShapes(file: File): Promise<void> {
    try {
      this.error.textContent = "";
      this.shapes = await send(file);
      this.shapesName.textContent = `${this.shapes.name}: decays are measured in modal coordinates`;
    } catch (error) {
      this.fail(error);
    }
  }

  private async showSpectrum(): Promise<void> {
    const record = this.record;
    const page = await call<Page>("zefft", { file: this.files[0].file, form: "page", ...this.reading() });
    if (record !== this.record) return;
    const cards = page.sections.flatMap((section) => section.figures).map((figure) => new FigureCard({ ...figure, title: figure.title.replace("Zeroed early-time spectra", "Spectrum"), caption: "Draw over a peak: the decay in that band is measured.", wide: true }, undefined, (low, high) => {
      this.low.value = low.toPrecision(5);
      this.high.value = high.toPrecision(5);
      this.mode.value = ((low + high) / 2).toPrecision(5);
      void this.measure();
    }));
    replaceContent(this.spectrum, ...cards.map((card) => card.element));
    for (const card of cards) await card.draw();
  }

  private async showZefft(): Promise<void> {
    const record = this.record;
    try {
      this.error.textContent = "";
      const times = (this.times.value.trim() || this.times.placeholder).split(/[\s,;]+/).map(Number);
      const page = await call<Page>("zefft", { file: this.files[0].file, times, form: "page", ...this.reading() });
      if (record !== this.record) return;
      const cards = page.sections.flatMap((section) => section.figures).map((figure) => new FigureCard({ ...figure, id: `zeroed-${figure.id}`, wide: true }));
      replaceContent(this.zefft, ...cards.map((card) => card.element));
      for (const card of cards) await card.draw();
      this.element.dataset.zeroed = String(times.length);
    } catch (error) {
      if (record === this.record) this.fail(error);
    }
  }

  /// Stops the work under way; it has no say any more. Returns the number of the work that takes its place.
  private supersede(): number {
    this.bar.abandon();
    return ++this.turn;
  }

  /// Runs a verb as a job, draws its report's figures into `place`, and hands what it found to `keep`, unless other
  /// work has been asked for by then.
  private async work(verb: string, request: object | Promise<object>, place: HTMLElement, keep: (found: Record<string, unknown>) => void): Promise<void> {
    const turn = this.supersede(); // before the first wait: two may be starting at once
    this.error.textContent = "";
    this.busy(true);
    try {
      const asked = await request;
      if (turn !== this.turn) return;
      const job = await Job.start(verb, asked);
      if (turn !== this.turn) return void job.cancel();
      const output = await this.bar.follow(job);
      if (turn !== this.turn) return;
      await this.draw(output, place);
      if (turn !== this.turn) return;
      this.shown.push(job);
      keep(output.result);
    } catch (error) {
      if (turn === this.turn) this.fail(error);
    } finally {
      if (turn === this.turn) this.busy(false);
    }
  }

  private async draw(output: JobOutput, place: HTMLElement): Promise<void> {
    if (!output.page) return;
    const { elements, cards } = reportBody(output.page, `${place.id}-`); // its notes stand among them
    replaceContent(place, ...elements);
    for (const card of cards) await card.draw();
  }

  private count(name: string): void {
    this.element.dataset[name] = String(Number(this.element.dataset[name] ?? "0") + 1);
  }

  private async measure(): Promise<void> {
    if (this.files.length === 0) return;
    const band = [this.low, this.high].map((end) => end.value.trim()).filter(Boolean);
    if (band.length === 1) return this.fail("a band needs both ends, or none");
    this.forget("measured");
    const request: Record<string, unknown> = { files: this.files.map((file) => file.file), mode: Number(this.mode.value), method: this.method.value, ...this.reading() };
    if (band.length === 2) request.band = band.map(Number);
    if (this.shapes) request.shapes = this.shapes.file;
    await this.work("ringdown", request, this.results, (found) => {
      this.measured = found;
      (this.element as HTMLElement & { result?: unknown }).result = found;
      this.count("measured");
    });
  }

  private sent(name: string, value: object): Promise<ReceivedFile> {
    return send(new File([JSON.stringify(value)], name));
  }

  private async fit(): Promise<void> {
    if (!this.measured) return;
    this.forget("model");
    const options = { viscous: this.viscous.checked, macro_slip: this.macroSlip.checked, use_flagged: this.useFlagged.checked };
    const request = this.sent("ringdown.json", this.measured).then(({ file }) => ({ files: [file], ...options }));
    await this.work("fit/modal", request, this.fitted, (found) => {
      this.model = found as object as ModalFit;
      (this.element as HTMLElement & { model?: unknown }).model = found;
      this.count("fitted");
    });
  }

  private saveModel(form: "json" | "toml"): void {
    if (this.model) saveModel(this.model, form);
  }

  private async predict(): Promise<void> {
    if (!this.model) return;
    this.shown = this.shown.slice(0, 2);
    const options = { record: this.files[0].file, ...(this.shapes ? { shapes: this.shapes.file } : {}), ...(this.hit.value.trim() ? { hit: this.hit.value.trim() } : {}), ...this.reading() };
    const request = this.sent("modal.json", this.model).then(({ file }) => ({ model: file, ...options }));
    await this.work("predict", request, this.predicted, () => this.count("predicted"));
  }

  private async save(): Promise<void> {
    const names = ["ringdown.html", "fit-modal.html", "prediction.html"];
    for (const [i, job] of this.shown.entries()) download(names[i], "text/html", await job.report());
  }
}

export const ringdown = async (verbs: string[]): Promise<HTMLElement> => new Ringdown(verbs).element;
