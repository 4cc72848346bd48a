// What the pages use of plotly.js, which is loaded before them as a global.

export type Json = Record<string, unknown>;

export interface PlotAxis {
  range: [number, number];
  autorange?: boolean;
  type: string;
  c2p(value: number): number; // data to pixel
}

export interface PlotElement extends HTMLElement {
  on(event: "plotly_relayout", handler: (change: Json) => void): void;
  on(event: "plotly_click", handler: (event: { points: { pointIndex: number; curveNumber: number }[] }) => void): void;
  on(event: "plotly_selected", handler: (event?: { range?: { x?: [number, number] } }) => void): void;
  on(event: "plotly_legendclick", handler: () => boolean): void;
  _fullLayout: Record<string, PlotAxis>;
  data: { visible?: boolean | "legendonly" }[];
}

export interface PlotlyLibrary {
  react(element: HTMLElement, data: Json[], layout: Json, config: Json): Promise<PlotElement>;
  relayout(element: HTMLElement, change: Json): Promise<void>;
  restyle(element: HTMLElement, change: Json, traces?: number[]): Promise<void>;
  purge(element: HTMLElement): void;
  toImage(figure: { data: Json[]; layout: Json; config?: Json }, options: Json): Promise<string>;
}

declare global {
  const Plotly: PlotlyLibrary;
}

/// Plotly reads a little HTML in its texts; ours are plain.
export const plain = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
