// The beam on friction: change preload, friction and force; watch the slip front and the loop.

import { button, download, h } from "../dom";
import { axis, curve, frame, positive } from "../figure/make";
import type { Figure, Numbers } from "../figure/types";
import { call, Job, words } from "./api";
import { copyOut, tomlNumber } from "./copy";
import { Resolution } from "./follow";
import { LivePictures } from "./live";
import { NumberStrip } from "./numbers";
import { NumberRow, type Travel } from "./parameters";
import { JobBar } from "./progress";

interface BeamState {
  pressure: { position: number[]; density: number[]; lift_off: number[] };
  slip: {
    force: number[];
    length: number[];
    dissipation: number[];
    regions: { from: number; to: number; state: string }[][];
    onset: { force: number; position: number };
    macro_slip_force: number | null;
  };
  interface: { position: number[]; traction: number[]; limit: number[]; sticks: number[] };
  loop: { displacement: number[]; force: number[]; dissipation: number; secant_stiffness: number; elastic_stiffness: number };
}

type Section = "beam" | "support" | "bolt" | "load";
interface Knob {
  section: Section;
  name: string;
  symbol: string;
  unit: string;
  meaning: string;
  start: number;
  travel: Travel;
}

const log = (low: number, high: number): Travel => ({ low, high, log: true });
const even = (low: number, high: number): Travel => ({ low, high, log: false });

// The rig of Asadi, Ahmadian and Jalali (2012), as in examples/asadi.toml.
const main: Knob[] = [
  { section: "bolt", name: "preload", symbol: "P", unit: "N", meaning: "clamping force of the bolt", start: 1e4, travel: log(1e3, 1e5) },
  { section: "support", name: "friction_coefficient", symbol: "μ", unit: "1", meaning: "friction coefficient of the interface", start: 0.2, travel: log(0.02, 1) },
  { section: "load", name: "force", symbol: "F", unit: "N", meaning: "amplitude of the force on the beam", start: 100, travel: log(1, 300) },
];
const rig: Knob[] = [
  { section: "load", name: "frequency_hz", symbol: "f", unit: "Hz", meaning: "frequency of the force; 0 is static", start: 31, travel: even(0, 60) },
  { section: "load", name: "position", symbol: "x_F", unit: "m", meaning: "where the force acts", start: 0.13, travel: even(0.05, 0.3) },
  { section: "load", name: "angle_deg", symbol: "α", unit: "°", meaning: "direction of the force: 0 across the beam, 90 along it", start: 0, travel: even(0, 90) },
  { section: "support", name: "normal_stiffness", symbol: "k_n", unit: "N/m²", meaning: "support stiffness across the interface, per metre", start: 1.7e9, travel: log(1.7e7, 1.7e11) },
  { section: "support", name: "tangential_stiffness", symbol: "k_t", unit: "N/m²", meaning: "support stiffness along the interface, per metre", start: 5.8e8, travel: log(5.8e6, 5.8e10) },
  { section: "bolt", name: "head_diameter", symbol: "d", unit: "m", meaning: "the preload is spread over it; 0 is a point load", start: 0.027, travel: even(0, 0.05) },
];
const fixed: Record<Section, Record<string, number>> = {
  beam: { length: 0.3, width: 0.03, height: 0.003, youngs_modulus: 2e11, density: 7850 },
  support: { length: 0.05 },
  bolt: { position: 0.025, mass: 0.052 },
  load: {},
};

type Picture = "interface" | "loop" | "slip" | "dissipation";
const times = (values: number[], factor: number): number[] => values.map((value) => factor * value);

function interfaceFigure(data?: BeamState): Figure {
  const at = data?.interface, x = times(at?.position ?? [], 1e3);
  const where = (sticks: number): Numbers => (at?.traction ?? []).map((value, i) => (at!.sticks[i] === sticks ? value / 1e3 : null));
  const limit = times(at?.limit ?? [], 1e-3);
  // One stroke per force and slipping region: where the interface slips while the force grows.
  const strokes: { x: Numbers; y: Numbers } = { x: [], y: [] };
  data?.slip.regions.forEach((regions, i) => regions.filter((region) => region.state.startsWith("slip")).forEach((region) => {
    strokes.x.push(1e3 * region.from, 1e3 * region.to, null);
    strokes.y.push(data.slip.force[i], data.slip.force[i], null);
  }));
  return frame("interface", "Interface", axis("position on the support", "mm"),
    [axis("pressure", "N/mm"), axis("traction", "N/mm"), axis("force", "N")], {
      heights: [1, 1.4, 1.2],
      traces: [
        curve("pressure", times(data?.pressure.position ?? [], 1e3), times(data?.pressure.density ?? [], 1e-3), { colour: 2 }),
        curve("± friction limit", [...x, null, ...x], [...limit, null, ...limit.map((value) => -value)], { panel: 1, colour: 8, dash: "dash", legend: true }),
        curve("sticks", x, where(1), { panel: 1, colour: 0, legend: true }),
        curve("slips", x, where(0), { panel: 1, colour: 1, legend: true }),
        curve("slips while the force grows", strokes.x, strokes.y, { panel: 2, colour: 1 }),
      ],
      caption: "Slip where the traction has reached its limit. Below: where the interface slips as the force grows; the ends of the strokes are the slip fronts.",
    });
}

function loopFigure(data?: BeamState): Figure {
  return frame("loop", "Loop at the load", axis("displacement", "mm"), [axis("force", "N")],
    { traces: [curve("loop", times(data?.loop.displacement ?? [], 1e3), data?.loop.force ?? [])] });
}

function slipFigure(data?: BeamState): Figure {
  const part = (data?.loop.displacement ?? []).map((u, i) => 1e6 * (u - data!.loop.force[i] / data!.loop.elastic_stiffness));
  return frame("slip", "The same loop, elastic slope taken out", axis("displacement less that of the stuck beam", "µm"), [axis("force", "N")],
    { traces: [curve("slip part", part, data?.loop.force ?? [], { colour: 1 })], caption: "The area is the energy lost per cycle; it is unchanged by the shear." });
}

function dissipationFigure(data?: BeamState): Figure {
  return frame("dissipation", "Dissipation per cycle", axis("force amplitude", "N", "log"), [axis("dissipation", "J", "log")],
    { traces: [curve("dissipation", data?.slip.force ?? [], positive(data?.slip.dissipation ?? []), { colour: 3 })] });
}

const figures = (data?: BeamState): Record<Picture, Figure> =>
  ({ interface: interfaceFigure(data), loop: loopFigure(data), slip: slipFigure(data), dissipation: dissipationFigure(data) });

class BeamPage {
  readonly element = h("div", { class: "explorer beam" });
  private readonly numbers = new NumberStrip();
  private readonly notice = h("p", { class: "fit", role: "status" });
  private readonly copied = h("pre", { class: "copied", "aria-live": "polite" });
  private readonly rows: [Knob, NumberRow][];
  private readonly unilateral = h("input", { type: "checkbox", name: "unilateral", checked: true, change: () => this.live.moved() });
  private readonly live = new LivePictures<BeamState, Picture>({
    page: this.element,
    ask: (steps) => call("beam/live", { ...this.request(), steps }),
    points: new Resolution(40, 10), // steps of the growing force
    pointsOf: (data) => data.slip.force.length,
    figures,
    show: (data) => this.show(data),
  });
  private readonly bar = new JobBar();

  constructor() {
    const row = (knob: Knob): [Knob, NumberRow] => [knob, new NumberRow(knob, knob.travel, knob.start, this.live.moved)];
    const first = main.map(row), second = rig.map(row);
    this.rows = [...first, ...second];
    const { cards, error } = this.live;
    this.element.append(
      h("aside", { "aria-label": "Beam" },
        ...first.map(([, own]) => own.element), error, this.notice,
        h("details", {}, h("summary", {}, "The rig"), ...second.map(([, own]) => own.element),
          h("label", { class: "field" }, h("span", {}, "the beam may lift off"), this.unilateral, h("span"))),
        h("h2", {}, "Take it with you"),
        h("div", { class: "row" }, button("TOML", "Copy the beam as a file for microslip beam", () => this.copy()),
          button("Report", "Everything that microslip beam finds, as one HTML file", () => void this.saveReport())),
        this.bar.element, this.copied),
      h("div", { class: "pictures" }, this.numbers.element,
        h("div", { class: "figures" },
          h("div", { class: "column" }, cards.interface.element),
          h("div", { class: "column" }, cards.slip.element, cards.loop.element, cards.dissipation.element))));
    this.live.moved();
  }

  private request(): Record<Section, Record<string, number | boolean>> {
    const request: Record<Section, Record<string, number | boolean>> = { beam: { ...fixed.beam }, support: { ...fixed.support, unilateral: this.unilateral.checked }, bolt: { ...fixed.bolt }, load: {} };
    for (const [knob, row] of this.rows) request[knob.section][knob.name] = row.value;
    return request;
  }

  private show(data: BeamState): void {
    const slides = data.slip.macro_slip_force;
    this.notice.textContent = slides === null ? "" : `The beam slides off at ${slides.toPrecision(4)} N: shown is the last state that sticks somewhere.`;
    this.numbers.show([
      { key: "onset", label: "Slip begins at", value: data.slip.onset.force, unit: "N" },
      { key: "length", label: "Slipping length", value: 1e3 * data.slip.length[data.slip.length.length - 1], unit: "mm" },
      { key: "dissipation", label: "Dissipation", value: data.loop.dissipation, unit: "J per cycle" },
      { key: "secant_stiffness", label: "Secant stiffness", value: data.loop.secant_stiffness, unit: "N/m" },
    ]);
  }

  private copy(): void {
    const written = (value: number | boolean) => (typeof value === "boolean" ? String(value) : tomlNumber(value));
    copyOut(this.copied, Object.entries(this.request()).map(([section, values]) => `[${section}]\n${Object.entries(values).map(([name, value]) => `${name} = ${written(value)}\n`).join("")}`).join("\n"));
  }

  private async saveReport(): Promise<void> {
    try {
      const job = await Job.start("beam", this.request());
      await this.bar.follow(job);
      download("beam.html", "text/html", await job.report());
    } catch (error) {
      this.live.error.textContent = words(error);
    }
  }
}

export const beam = async (): Promise<HTMLElement> => new BeamPage().element;
