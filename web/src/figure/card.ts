// A figure on the page: the plot, its buttons, its slider, its keys.

import { csv, type Field } from "../csv";
import { button, download, h } from "../dom";
import { isPrinting, onTheme, theme } from "../theme";
import { axisTitle, heightOf, initialView, isShown, lostOnLog, plot, pointsDrawn, type View } from "./layout";
import { lightTheme } from "./palette";
import type { Json, PlotAxis, PlotElement } from "./plotly";
import { visibleIndices } from "./thin";
import type { Figure, Scale, Trace } from "./types";

/// SVG path of a curve in the pixels of the axes; gaps, and points without a place on a log axis, lift the pen.
function path(trace: Trace, x: PlotAxis, y: PlotAxis): string {
  let d = "", pen = "M";
  for (let i = 0; i < trace.x.length; ++i) {
    const u = trace.x[i], v = trace.y[i];
    const px = u === null ? NaN : x.c2p(u), py = v === null ? NaN : y.c2p(v);
    if (!Number.isFinite(px) || !Number.isFinite(py)) {
      pen = "M";
      continue;
    }
    d += `${pen}${px.toFixed(1)},${Math.max(-1e4, Math.min(1e4, py)).toFixed(1)}`;
    pen = "L";
  }
  return d || "M0,0";
}

const cardOf = new WeakMap<Element, FigureCard>();

/// Puts other content into a place; figures that stood there and do not stand there again are disposed of.
export function replaceContent(place: HTMLElement, ...content: HTMLElement[]): void {
  const before = [...place.querySelectorAll("figure")];
  place.replaceChildren(...content);
  for (const figure of before) if (!place.contains(figure)) cardOf.get(figure)?.dispose();
}

const paperWidth = 660;
const flip = (scale: Scale): Scale => (scale === "log" ? "linear" : "log");

export class FigureCard {
  readonly element: HTMLElement;
  private readonly canvas: HTMLElement;
  private readonly message = h("p", { class: "message", role: "status" });
  private readonly toggles: [HTMLButtonElement, () => Scale][] = [];
  private readonly slider?: HTMLInputElement;
  private readonly stepLabel = h("output", { class: "step" });
  private view: View;
  private listening = false;
  private timer = 0;
  private gone = false;
  private readonly ignoreTheme: () => void;

  /// `pick` is told which figure to move to which step when a point is clicked; with `select`, drawing over the
  /// picture chooses an interval of x in place of zooming.
  constructor(private figure: Figure, private readonly pick: (id: string, step: number) => void = () => {}, private readonly select?: (low: number, high: number) => void) {
    this.view = initialView(figure);
    this.canvas = h("div", { class: "plot", tabindex: "0", role: "img", "aria-label": this.description(), keydown: (event) => this.key(event as KeyboardEvent) });
    this.canvas.style.height = `${heightOf(figure)}px`;
    if (figure.steps.length > 1) this.slider = this.makeSlider();
    this.element = h("figure", { class: figure.wide ? "figure wide" : "figure", id: `figure-${figure.id}` },
      h("div", { class: "figure-head" }, h("h3", {}, figure.title), this.buttons()),
      this.slider && h("div", { class: "slider" }, h("label", {}, figure.step_title ? `${figure.step_title} ` : "", this.slider), this.playButton(), this.stepLabel),
      this.canvas,
      figure.caption ? h("figcaption", {}, figure.caption) : null,
      this.message);
    this.ignoreTheme = onTheme(() => void this.draw());
    cardOf.set(this.element, this);
  }

  /// Takes the picture off everything that would keep it: the theme, the window's size, the clock.
  dispose(): void {
    this.gone = true;
    this.ignoreTheme();
    clearInterval(this.timer);
    Plotly.purge(this.canvas);
  }

  /// New data in the same frame; the reader's zoom and scales stay.
  update(figure: Figure): Promise<void> {
    this.figure = figure;
    this.canvas.setAttribute("aria-label", this.description());
    if (this.view.step >= figure.steps.length) this.view.step = figure.steps.length - 1;
    return this.draw();
  }

  /// The curves of new data along the axes as they are: moves the lines without drawing the picture anew, so that
  /// it keeps up with a slider. Call `update` when the slider rests.
  move(figure: Figure): void {
    const plot = this.canvas as PlotElement;
    if (!this.listening || figure.traces.length !== this.figure.traces.length) return;
    figure.y.forEach((_, panel) => {
      const y = plot._fullLayout[panel === 0 ? "yaxis" : `yaxis${panel + 1}`], x = plot._fullLayout.xaxis;
      const groups = plot.querySelectorAll(`.subplot.x${panel === 0 ? "y" : `y${panel + 1}`} .scatterlayer > .trace`);
      figure.traces.filter((trace) => trace.panel === panel).forEach((trace, i) => {
        const line = groups[i]?.querySelector("path.js-line");
        if (trace.mark === "line" && line) line.setAttribute("d", path(trace, x, y));
      });
    });
  }

  async draw(): Promise<void> {
    if (this.gone) return;
    const { data, layout } = plot(this.figure, this.view, theme());
    if (this.select) Object.assign(layout, { dragmode: "select", selectdirection: "h" });
    const width = isPrinting() ? paperWidth : undefined;
    layout.uirevision = `${this.view.xScale} ${this.view.yScales.join(" ")}`;
    if (width) Object.assign(layout, { width, autosize: false });
    else layout.autosize = true;
    const element = await Plotly.react(this.canvas, data, layout, { displayModeBar: false, responsive: true, doubleClick: "reset", showTips: false });
    if (!this.listening) this.listen(element);
    for (const [toggle, scale] of this.toggles) toggle.setAttribute("aria-pressed", String(scale() === "log"));
    if (this.slider) {
      this.slider.value = String(this.view.step);
      const label = this.figure.steps[this.view.step];
      this.slider.setAttribute("aria-valuetext", label);
      this.stepLabel.textContent = label;
    }
    this.say();
  }

  show(step: number): void {
    this.view.step = Math.max(0, Math.min(this.figure.steps.length - 1, step));
    void this.draw();
  }

  private description(): string {
    const axes = [this.figure.x, ...this.figure.y].map(axisTitle);
    return `${this.figure.title}. ${axes.slice(1).join("; ")} against ${axes[0]}. Keys: plus and minus zoom, arrows move, 0 resets.`;
  }

  private say(): void {
    const texts: string[] = [];
    const lost = lostOnLog(this.figure, this.view);
    if (lost > 0) texts.push(`${lost} ${lost === 1 ? "point is" : "points are"} zero or negative and cannot be shown on a logarithmic axis.`);
    for (const trace of this.figure.traces)
      if (trace.thinned_from && isShown(trace, this.view))
        texts.push(`“${trace.name}” is drawn from the extremes of its ${trace.thinned_from.toLocaleString("en")} points.`);
    this.message.textContent = [...new Set(texts)].join(" "); // panels share names
  }

  private buttons(): HTMLElement {
    const bar = h("div", { class: "buttons", role: "group", "aria-label": `${this.figure.title}: view and export` });
    const toggle = (name: string, scale: () => Scale, set: (scale: Scale) => void) => {
      const element = button(name, `Logarithmic or linear ${name.slice(4)} axis`, () => {
        set(flip(scale()));
        void this.draw();
      });
      this.toggles.push([element, scale]);
      bar.append(element);
    };
    if (!this.figure.x.categories.length) toggle("log x", () => this.view.xScale, (scale) => {
      this.view.xScale = scale;
      this.view.xRange = undefined;
    });
    const several = this.figure.y.length > 1;
    this.figure.y.forEach((axis, panel) => {
      if (!axis.categories.length)
        toggle(several ? `log y${panel + 1}` : "log y", () => this.view.yScales[panel], (scale) => (this.view.yScales[panel] = scale));
    });
    bar.append(
      button("reset", "Show everything again", () => this.reset()),
      button("CSV", "Save the data shown as CSV", () => download(`${this.figure.id}.csv`, "text/csv", this.shownCsv())),
      button("SVG", "Save the picture as SVG", () => void this.image("svg")),
      button("PNG", "Save the picture as PNG", () => void this.image("png")));
    return bar;
  }

  private makeSlider(): HTMLInputElement {
    return h("input", { type: "range", min: "0", max: String(this.figure.steps.length - 1), step: "1", "aria-label": this.figure.step_title || "Step",
      input: (event) => this.show(Number((event.target as HTMLInputElement).value)) });
  }

  private playButton(): HTMLButtonElement {
    const element = button("play", "Step through", () => {
      if (this.timer) {
        clearInterval(this.timer);
        this.timer = 0;
      } else {
        this.timer = window.setInterval(() => this.show((this.view.step + 1) % this.figure.steps.length), 350);
      }
      element.textContent = this.timer ? "stop" : "play";
    });
    return element;
  }

  private listen(element: PlotElement): void {
    this.listening = true;
    const long = () => this.figure.traces.some((trace) => trace.x.length > pointsDrawn);
    element.on("plotly_relayout", (change) => {
      if (!Object.keys(change).some((key) => key.startsWith("xaxis"))) return;
      const before = this.view.xRange;
      const axis = element._fullLayout.xaxis;
      const everything = change["xaxis.autorange"] === true || axis.autorange === true;
      this.view.xRange = everything ? undefined : [axis.range[0], axis.range[1]];
      if (long() && String(before) !== String(this.view.xRange)) void this.draw();
    });
    element.on("plotly_selected", (event) => {
      const range = event?.range?.x;
      if (range && range[1] > range[0]) this.select?.(range[0], range[1]);
    });
    element.on("plotly_click", (event) => {
      const point = event.points[0];
      if (!point || !this.figure.picks) return;
      const shown = this.figure.traces.filter((trace) => isShown(trace, this.view))[point.curveNumber];
      const step = shown?.picks?.[point.pointIndex];
      if (step !== undefined && step >= 0) this.pick(this.figure.picks, step);
    });
  }

  private axisNames(): string[] {
    return ["xaxis", ...this.figure.y.map((_, panel) => (panel === 0 ? "yaxis" : `yaxis${panel + 1}`))];
  }

  private reset(): void {
    this.view.xRange = undefined;
    const change: Json = {};
    for (const name of this.axisNames()) change[`${name}.autorange`] = true;
    void Plotly.relayout(this.canvas, change).then(() => this.draw());
  }

  private key(event: KeyboardEvent): void {
    const zoom: Record<string, number> = { "+": 0.7, "=": 0.7, "-": 1 / 0.7 };
    const move: Record<string, [string, number]> = { ArrowLeft: ["x", -0.15], ArrowRight: ["x", 0.15], ArrowDown: ["y", -0.15], ArrowUp: ["y", 0.15] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "0") this.reset();
    else if (event.key in zoom) this.reframe(() => true, zoom[event.key], 0);
    else if (event.key in move) this.reframe((name) => name.startsWith(move[event.key][0]), 1, move[event.key][1]);
    else return;
    event.preventDefault();
  }

  private reframe(chosen: (axis: string) => boolean, zoom: number, shift: number): void {
    const full = (this.canvas as PlotElement)._fullLayout;
    const change: Json = {};
    for (const name of this.axisNames().filter(chosen)) {
      const [low, high] = full[name].range;
      const middle = (low + high) / 2 + shift * (high - low), half = (zoom * (high - low)) / 2;
      change[`${name}.range[0]`] = middle - half;
      change[`${name}.range[1]`] = middle + half;
    }
    void Plotly.relayout(this.canvas, change);
  }

  /// The traces that are visible, within the x range that is visible; one row per point.
  shownCsv(): string {
    const { figure, view } = this;
    const several = figure.y.length > 1;
    const rows: Field[][] = [["trace", axisTitle(figure.x), several ? "value" : axisTitle(figure.y[0]), ...(several ? ["axis"] : []), "lower", "upper", "colour value", "note"]];
    const hidden = new Set((this.canvas as PlotElement).data.flatMap((trace, i) => (trace.visible === "legendonly" || trace.visible === false ? [i] : [])));
    const x = view.xRange?.map((v) => (view.xScale === "log" ? 10 ** v : v)) ?? [-Infinity, Infinity];
    figure.traces.filter((trace) => isShown(trace, view)).forEach((trace, index) => {
      if (hidden.has(index)) return;
      const axis = several ? [axisTitle(figure.y[trace.panel])] : [];
      const row = (u: Field, v: Field, ...rest: Field[]) => rows.push([trace.name, u, v, ...axis, ...rest]);
      if (trace.mark === "heatmap") {
        trace.y.forEach((v, j) => trace.x.forEach((u, i) => row(u, v, null, null, trace.values![j * trace.x.length + i], null)));
        return;
      }
      const [begin, end] = visibleIndices(trace.x, x[0], x[1]);
      for (let i = begin; i < end; ++i) {
        const u = trace.x[i];
        if (u !== null && (u < x[0] || u > x[1])) continue;
        const lower = trace.mark === "band" ? trace.y[i] : trace.lower?.[i];
        row(u, trace.mark === "band" ? null : trace.y[i], lower, trace.upper?.[i], trace.values?.[i], trace.hover?.[i]);
      }
    });
    return csv(rows);
  }

  /// On white, whatever the theme: pictures leave the page for papers and slides.
  private async image(format: "svg" | "png"): Promise<void> {
    const { data, layout } = plot(this.figure, this.view, lightTheme);
    const full = (this.canvas as PlotElement)._fullLayout;
    for (const name of this.axisNames()) Object.assign(layout[name] as Json, { range: [...full[name].range], autorange: false });
    (this.canvas as PlotElement).data.forEach((trace, i) => (data[i].visible = trace.visible));
    const url = await Plotly.toImage({ data, layout: { ...layout, width: 800 } }, { format, width: 800, height: heightOf(this.figure), scale: format === "png" ? 2 : 1 });
    const comma = url.indexOf(",");
    if (format === "svg") {
      download(`${this.figure.id}.svg`, "image/svg+xml", decodeURIComponent(url.slice(comma + 1)));
    } else {
      download(`${this.figure.id}.png`, "image/png", Uint8Array.from(atob(url.slice(comma + 1)), (c) => c.charCodeAt(0)));
    }
  }
}
