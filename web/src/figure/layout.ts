// Figure -> plotly's data and layout. Pure: the same figure, view and theme give the same picture.

import { colour, faded, viridis, type Theme } from "./palette";
import { plain, type Json } from "./plotly";
import { thin, visibleIndices } from "./thin";
import type { Axis, Figure, Numbers, Scale, Trace } from "./types";

export interface View {
  xScale: Scale;
  yScales: Scale[];
  step: number;
  xRange?: [number, number]; // in the axis's own coordinate; absent: all
}

export const pointsDrawn = 4000;

export const initialView = (figure: Figure): View => ({
  xScale: figure.x.scale,
  yScales: figure.y.map((axis) => axis.scale),
  step: figure.steps.length - 1,
});

export function axisTitle(axis: Axis): string {
  if (!axis.unit) return axis.title;
  return `${axis.title} [${axis.unit === "1" ? "–" : axis.unit}]`;
}

export const isShown = (trace: Trace, view: View): boolean => trace.step < 0 || trace.step === view.step;

/// Indices into figure.traces -> palette index, counting those without a colour of their own.
export function colours(figure: Figure): number[] {
  let next = 0;
  return figure.traces.map((trace) => (trace.colour >= 0 ? trace.colour : next++ % 8));
}

const yName = (panel: number): string => (panel === 0 ? "y" : `y${panel + 1}`);

function bordersOf(centres: Numbers): number[] {
  const c = centres.map((v) => v ?? NaN);
  if (c.length === 1) return [c[0] - 0.5, c[0] + 0.5];
  const inner = c.slice(1).map((v, i) => 0.5 * (v + c[i]));
  return [2 * c[0] - inner[0], ...inner, 2 * c[c.length - 1] - inner[inner.length - 1]];
}

/// The basic bundle has no heat maps: one bar per cell, standing on the cell's lower border.
function heatmap(trace: Trace, theme: Theme, axis: string, bar: { x: number; y: number; length: number }): Json {
  const xs = bordersOf(trace.x), ys = bordersOf(trace.y);
  const x: number[] = [], base: number[] = [], height: number[] = [], width: number[] = [], z: Numbers = [], label: string[] = [];
  trace.y.forEach((_, j) =>
    trace.x.forEach((_, i) => {
      const value = trace.values![j * trace.x.length + i];
      if (value === null) return;
      x.push(0.5 * (xs[i] + xs[i + 1]));
      width.push(xs[i + 1] - xs[i]);
      base.push(ys[j]);
      height.push(ys[j + 1] - ys[j]);
      z.push(value);
      label.push(`x ${short(trace.x[i])}<br>y ${short(trace.y[j])}<br>${plain(trace.values_title ?? trace.name)} ${short(value)}`);
    }),
  );
  return {
    type: "bar", x, y: height, base, width, yaxis: axis, name: plain(trace.name), showlegend: false,
    hovertemplate: "%{customdata}<extra></extra>", customdata: label,
    marker: { color: z, colorscale: viridis, line: { width: 0 }, showscale: true, colorbar: colourBar(trace, theme, bar) },
  };
}

const colourBar = (trace: Trace, theme: Theme, bar: { x: number; y: number; length: number }): Json => ({
  title: { text: plain(trace.values_title ?? ""), side: "right" }, thickness: 12, outlinewidth: 0, x: bar.x, y: bar.y,
  len: bar.length, yanchor: "middle", tickfont: { color: theme.faint }, tickcolor: theme.faint,
});

export const short = (value: number | null): string => (value === null ? "–" : String(Number(value.toPrecision(6))));

function leastPositive(figure: Figure, panel: number): number {
  let least = Infinity;
  for (const trace of figure.traces)
    if (trace.panel === panel)
      for (const list of [trace.y, trace.upper ?? []])
        for (const value of list) if (value !== null && value > 0 && value < least) least = value;
  return Number.isFinite(least) ? least : 1;
}

/// One closed outline per run of finite points.
function band(trace: Trace, figure: Figure, view: View, own: string, axis: string): Json {
  const floor = view.yScales[trace.panel] === "log" ? leastPositive(figure, trace.panel) : -Infinity;
  const x: Numbers = [], y: Numbers = [];
  let run: number[] = [];
  const flush = () => {
    if (run.length > 0) {
      if (x.length > 0) (x.push(null), y.push(null));
      for (const i of run) (x.push(trace.x[i]), y.push(Math.max(trace.y[i]!, floor)));
      for (const i of [...run].reverse()) (x.push(trace.x[i]), y.push(Math.max(trace.upper![i]!, floor)));
    }
    run = [];
  };
  for (const i of thin(trace.x, trace.y, pointsDrawn)) {
    if (trace.x[i] === null || trace.y[i] === null || trace.upper![i] === null) flush();
    else run.push(i);
  }
  flush();
  return {
    type: "scatter", mode: "lines", x, y, yaxis: axis, name: plain(trace.name), fill: "toself", fillcolor: faded(own, 0.22),
    line: { width: 0, color: own }, hoverinfo: "skip", showlegend: trace.legend && trace.name !== "",
  };
}

function errorBars(trace: Trace): Json {
  if (!trace.lower || !trace.upper) return {};
  const away = (ends: Numbers, sign: number) => ends.map((end, i) => (end === null || trace.y[i] === null ? 0 : sign * (end - trace.y[i]!)));
  return { error_y: { type: "data", symmetric: false, array: away(trace.upper, 1), arrayminus: away(trace.lower, -1), thickness: 1, width: 3 } };
}

function plotted(figure: Figure, trace: Trace, index: number, view: View, theme: Theme): Json {
  const own = colour(colours(figure)[index], theme);
  const axis = yName(trace.panel);
  const [bottom, top] = domains(figure)[trace.panel];
  const bar = { x: 1.01, y: (bottom + top) / 2, length: top - bottom };
  if (trace.mark === "heatmap") return heatmap(trace, theme, axis, bar);
  if (trace.mark === "band") return band(trace, figure, view, own, axis);

  const lined = trace.mark === "line" || trace.mark === "line_markers";
  let range: [number, number] = [0, trace.x.length];
  if (view.xRange) {
    const [low, high] = view.xScale === "log" ? view.xRange.map((v) => 10 ** v) : view.xRange;
    range = visibleIndices(trace.x, low, high);
  }
  // Only curves are thinned further: every marker and bar stays.
  const kept = thin(trace.x, trace.y, lined ? pointsDrawn : Infinity, lined ? range[0] : 0, lined ? range[1] : trace.x.length);
  const of = <T>(list: T[]): T[] => (kept.length === list.length ? list : kept.map((i) => list[i]));
  const hover = trace.hover ? { customdata: of(trace.hover).map(plain), hovertemplate: "%{x:.6g}, %{y:.6g}<br>%{customdata}<extra>%{fullData.name}</extra>" }
    : { hovertemplate: "%{x:.6g}, %{y:.6g}<extra>%{fullData.name}</extra>" };
  const shared = { x: of(trace.x), y: of(trace.y), yaxis: axis, name: plain(trace.name), showlegend: trace.legend && trace.name !== "", ...hover, ...errorBars(trace) };
  if (trace.mark === "bars") return { type: "bar", ...shared, marker: { color: own } };
  const symbol = { solid: "circle", dash: "circle-open", dot: "square-open" }[trace.dash]; // as the SVG files have it
  const marker: Json = { size: trace.values ? 9 : trace.mark === "line_markers" ? 5 : 6.5, color: own, opacity: 0.9, symbol };
  if (trace.values) Object.assign(marker, { line: { color: theme.faint, width: 1 }, color: trace.values, colorscale: viridis, showscale: true, colorbar: colourBar(trace, theme, bar) });
  const mode = { line: "lines", markers: "markers", line_markers: "lines+markers" }[trace.mark];
  return { type: "scatter", mode, ...shared, marker, line: { color: own, width: 1.8, dash: trace.dash }, connectgaps: false };
}

export function domains(figure: Figure): [number, number][] {
  const heights = figure.heights.length ? figure.heights : figure.y.map(() => 1);
  const gap = figure.y.length > 1 ? 0.05 : 0;
  const total = heights.reduce((a, b) => a + b, 0), room = 1 - gap * (heights.length - 1);
  let top = 1;
  return heights.map((height) => {
    const bottom = Math.max(0, top - (room * height) / total);
    const domain: [number, number] = [bottom, top];
    top = bottom - gap;
    return domain;
  });
}

function axisLayout(axis: Axis, scale: Scale, theme: Theme, framed: boolean): Json {
  const layout: Json = {
    title: { text: plain(axisTitle(axis)), standoff: 8, font: { size: 12.5 } }, type: scale, gridcolor: theme.grid, zeroline: false,
    showline: framed, linecolor: theme.faint, linewidth: 1, mirror: true, ticks: "outside", ticklen: 4, tickcolor: theme.faint, automargin: true,
    exponentformat: "power", showexponent: "all",
  };
  if (scale === "log") layout.nticks = 5; // 2 and 5 between the decades: all nine digits would crowd
  if (axis.categories.length) {
    const every = Math.ceil(axis.categories.length / 24), kept = axis.categories.map((_, i) => i).filter((i) => i % every === 0);
    Object.assign(layout, { type: "linear", tickvals: kept, ticktext: kept.map((i) => plain(axis.categories[i])), range: [-0.6, axis.categories.length - 0.4] });
    delete layout.nticks;
  } else if (axis.range && !(scale === "log" && axis.range[0] <= 0)) {
    layout.range = scale === "log" ? axis.range.map(Math.log10) : axis.range;
  }
  return layout;
}

const place = (value: number, scale: Scale): number => (scale === "log" ? Math.log10(value) : value);

function marks(figure: Figure, view: View, theme: Theme): { shapes: Json[]; annotations: Json[] } {
  const shapes: Json[] = [], annotations: Json[] = [];
  for (const shade of figure.shades) {
    shapes.push({ type: "rect", xref: "x", yref: "paper", x0: shade.from, x1: shade.to, y0: 0, y1: 1, fillcolor: faded("#808890", 0.16), line: { width: 0 }, layer: "below" });
    if (shade.text) annotations.push({ text: plain(shade.text), xref: "x", yref: "paper", x: place(shade.from, view.xScale), y: 0.01, xanchor: "left", yanchor: "bottom", showarrow: false, font: { size: 11, color: theme.faint } });
  }
  const domain = domains(figure);
  if (domain.length > 1)
    for (const [y0, y1] of domain) shapes.push({ type: "rect", xref: "paper", yref: "paper", x0: 0, x1: 1, y0, y1, line: { color: theme.faint, width: 1 } });
  for (const note of figure.annotations) {
    const yref = yName(note.panel), yScale = view.yScales[note.panel];
    const line = { color: theme.faint, width: 1, dash: "dash" };
    const text = { text: plain(note.text), showarrow: false, font: { size: 11, color: theme.faint } };
    if (note.x !== undefined && note.y !== undefined) {
      annotations.push({ ...text, xref: "x", yref, x: place(note.x, view.xScale), y: place(note.y, yScale), yshift: 9, font: { size: 11, color: theme.ink } });
    } else if (note.x !== undefined) {
      shapes.push({ type: "line", xref: "x", yref: "paper", x0: note.x, x1: note.x, y0: domain[note.panel][0], y1: domain[note.panel][1], line });
      annotations.push({ ...text, xref: "x", yref: "paper", x: place(note.x, view.xScale), y: domain[note.panel][1], xanchor: "left", yanchor: "top", xshift: 3 });
    } else if (note.y !== undefined) {
      shapes.push({ type: "line", xref: "paper", yref, x0: 0, x1: 1, y0: note.y, y1: note.y, line });
      annotations.push({ ...text, xref: "paper", yref, x: 1, y: place(note.y, yScale), xanchor: "right", yanchor: "bottom" });
    }
  }
  return { shapes, annotations };
}

/// How far the values reach.
function reach(lists: Numbers[]): number {
  let low = Infinity, high = -Infinity;
  for (const list of lists) for (const value of list) if (value !== null) (low = Math.min(low, value), high = Math.max(high, value));
  return high - low;
}

/// Equal scales leave no idle room above and below what is long and flat.
function equalHeight(figure: Figure): number {
  const flat = reach(figure.traces.map((trace) => trace.y)) / reach(figure.traces.map((trace) => trace.x));
  return Number.isFinite(flat) ? Math.round(Math.max(260, Math.min(420, 130 + 1000 * flat))) : 420;
}

export const heightOf = (figure: Figure): number => (figure.equal ? equalHeight(figure) : 350) + 120 * (figure.y.length - 1);

export function plot(figure: Figure, view: View, theme: Theme): { data: Json[]; layout: Json } {
  const traces = figure.traces.map((trace, i) => ({ trace, i })).filter(({ trace }) => isShown(trace, view));
  const data = traces.map(({ trace, i }) => ({ ...plotted(figure, trace, i, view, theme), meta: i }));
  const bars = figure.traces.some((trace) => trace.mark === "heatmap");
  const framed = figure.y.length === 1; // one axis line would cross several panels: they get frames of their own
  const legend = data.filter((trace) => (trace as Json).showlegend).length > 0;
  const layout: Json = {
    paper_bgcolor: theme.ground, plot_bgcolor: theme.ground, height: heightOf(figure), margin: { l: 64, r: 16, t: legend ? 34 : 14, b: 48 },
    font: { family: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif", size: 12, color: theme.ink },
    hovermode: "closest", dragmode: "zoom", barmode: bars ? "overlay" : "group", bargap: bars ? 0 : 0.25, showlegend: legend,
    legend: { orientation: "h", x: 0, y: 1, yanchor: "bottom", bgcolor: "rgba(0,0,0,0)", font: { size: 12 } },
    hoverlabel: { font: { family: "system-ui, sans-serif", size: 12 } },
    ...marks(figure, view, theme),
    xaxis: { ...axisLayout(figure.x, view.xScale, theme, framed), anchor: yName(figure.y.length - 1) },
  };
  if (view.xRange) (layout.xaxis as Json).range = view.xRange;
  if (figure.equal) (layout.xaxis as Json).constrain = "domain";
  const domain = domains(figure);
  figure.y.forEach((axis, panel) => {
    const own: Json = { ...axisLayout(axis, view.yScales[panel], theme, framed), domain: domain[panel], anchor: "x" };
    if (figure.equal) Object.assign(own, { scaleanchor: "x", scaleratio: 1, constrain: "domain" });
    layout[panel === 0 ? "yaxis" : `yaxis${panel + 1}`] = own;
  });
  return { data, layout };
}

/// Points that a logarithmic axis cannot show are counted, not hidden in silence.
export function lostOnLog(figure: Figure, view: View): number {
  let lost = 0;
  for (const trace of figure.traces) {
    if (!isShown(trace, view) || trace.mark === "band" || trace.mark === "heatmap") continue;
    trace.x.forEach((x, i) => {
      const y = trace.y[i];
      if ((view.xScale === "log" && x !== null && x <= 0) || (view.yScales[trace.panel] === "log" && y !== null && y <= 0)) ++lost;
    });
  }
  return lost;
}
