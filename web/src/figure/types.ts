// The page as src/microslip/report/page_json.cpp writes it.

export type Scale = "linear" | "log";
export type Mark = "line" | "markers" | "line_markers" | "bars" | "band" | "heatmap";
export type Tone = "plain" | "good" | "warning" | "bad";
export type Numbers = (number | null)[];

export interface Axis {
  title: string;
  unit: string;
  scale: Scale;
  range?: [number, number];
  categories: string[];
}

export interface Trace {
  name: string;
  mark: Mark;
  x: Numbers;
  y: Numbers;
  upper?: Numbers;
  lower?: Numbers;
  values?: Numbers;
  values_title?: string;
  hover?: string[];
  dash: "solid" | "dash" | "dot";
  colour: number;
  panel: number;
  step: number;
  legend: boolean;
  picks?: number[];
  thinned_from?: number;
}

export interface Annotation {
  text: string;
  x?: number;
  y?: number;
  panel: number;
}

export interface Shade {
  from: number;
  to: number;
  text: string;
}

export interface Figure {
  id: string;
  title: string;
  caption: string;
  x: Axis;
  y: Axis[];
  heights: number[];
  traces: Trace[];
  annotations: Annotation[];
  shades: Shade[];
  steps: string[];
  step_title: string;
  picks: string;
  wide: boolean;
  equal: boolean;
}

export interface Note {
  text: string;
  tone: Tone;
}

export type Content = number | string | null;
export type Cell = Content | { value: Content; tone: Tone };

export interface Table {
  id: string;
  title: string;
  caption: string;
  columns: { title: string; unit: string; digits: number }[];
  rows: Cell[][];
}

export interface Section {
  title: string;
  text: string;
  notes: Note[];
  figures: Figure[];
  tables: Table[];
}

export interface Verdict {
  label: string;
  value: string;
  unit: string;
  note: string;
  tone: Tone;
}

export interface Provenance {
  command: string;
  version: string;
  settings: [string, string][];
  seed?: string;
  inputs: { name: string; sha256: string }[];
  seconds?: number;
}

export interface Page {
  title: string;
  subtitle: string;
  verdicts: Verdict[];
  notes: Note[];
  sections: Section[];
  provenance: Provenance;
}
