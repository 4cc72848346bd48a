// Figures made on a page, with what the server's own figures hold filled in.

import type { Axis, Figure, Numbers, Scale, Trace } from "./types";

export const axis = (title: string, unit: string, scale: Scale = "linear"): Axis => ({ title, unit, scale, categories: [] });

export const curve = (name: string, x: Numbers, y: Numbers, more: Partial<Trace> = {}): Trace =>
  ({ name, mark: "line", x, y, dash: "solid", colour: 0, panel: 0, step: -1, legend: false, ...more });

export const frame = (id: string, title: string, x: Axis, y: Axis[], more: Partial<Figure> = {}): Figure =>
  ({ id, title, caption: "", x, y, heights: [], traces: [], annotations: [], shades: [], steps: [], step_title: "", picks: "", wide: false, equal: false, ...more });

/// Only positive values have a place on a logarithmic axis; nothing lost yet is no point.
export const positive = (values: Numbers): Numbers => values.map((value) => (value !== null && value > 0 ? value : null));
