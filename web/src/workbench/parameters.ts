// Sliders and number fields of a law's parameters, made from the server's table of laws.

import { h } from "../dom";
import type { Model, ParameterInfo } from "./api";

export interface Travel {
  low: number;
  high: number;
  log: boolean;
}

/// How far a slider reaches: the whole range where it is bounded, three decades either side of the start where not.
export function travel(row: ParameterInfo): Travel {
  const { lower, upper, default: start } = row;
  if (lower !== null && upper !== null) {
    const edge = 1e-3 * (upper - lower);
    return { low: lower + (row.lower_open ? edge : 0), high: upper - (row.upper_open ? edge : 0), log: false };
  }
  if (start > 0 && (lower === null || lower >= 0)) return { low: start / 1e3, high: start * 1e3, log: true };
  const reach = Math.max(10 * Math.abs(start), row.unit === "N/m" ? 1e7 : 10);
  return { low: lower ?? start - reach, high: upper ?? start + reach, log: false };
}

const positions = 1000;
export const toValue = (t: Travel, position: number): number => {
  const part = position / positions;
  return t.log ? t.low * (t.high / t.low) ** part : t.low + part * (t.high - t.low);
};
export const toPosition = (t: Travel, value: number): number => {
  const part = t.log ? Math.log(value / t.low) / Math.log(t.high / t.low) : (value - t.low) / (t.high - t.low);
  return Math.round(positions * Math.min(1, Math.max(0, part)));
};

const tidy = (value: number): number => Number(value.toPrecision(4));

const greek: Record<string, string> = { alpha: "α", beta: "β", chi: "χ", eta: "η", theta: "θ", kappa: "κ", lambda: "λ", mu: "μ" };

/// "F_S" as printers set it.
function symbolElement(symbol: string): HTMLElement {
  const [base, below] = symbol.split("_");
  return h("i", {}, greek[base] ?? base, below ? h("sub", {}, below) : null);
}

/// One row: symbol and name, a slider, and the number itself, which may also be typed beyond the slider's reach.
export class NumberRow {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private number: number;

  constructor(readonly row: { name: string; symbol: string; unit: string; meaning: string }, private reach: Travel, start: number, changed: () => void) {
    this.number = start;
    const label = `${row.name} [${row.unit}]`;
    this.slider = h("input", { type: "range", min: "0", max: String(positions), step: "1", "aria-label": row.name, title: row.meaning, input: () => {
      this.number = tidy(toValue(this.reach, Number(this.slider.value)));
      this.field.value = String(this.number);
      this.field.removeAttribute("aria-invalid");
      changed();
    } });
    this.field = h("input", { type: "text", inputmode: "decimal", spellcheck: "false", "aria-label": label, change: () => {
      const typed = Number(this.field.value);
      if (this.field.value.trim() === "" || !Number.isFinite(typed)) {
        this.field.setAttribute("aria-invalid", "true");
        return;
      }
      this.set(typed);
      changed();
    } });
    this.element = h("div", { class: "parameter", "data-name": row.name },
      h("span", { class: "parameter-name", title: row.meaning }, symbolElement(row.symbol), ` ${row.name}`),
      this.field, h("span", { class: "unit" }, row.unit === "1" ? "–" : row.unit), this.slider);
    this.set(start);
  }

  get value(): number {
    return this.number;
  }

  set(value: number, reach?: Travel): void {
    if (reach) this.reach = reach;
    this.number = value;
    this.field.value = String(value);
    this.field.removeAttribute("aria-invalid");
    this.slider.value = String(toPosition(this.reach, value));
    this.slider.setAttribute("aria-valuetext", `${value} ${this.row.unit}`);
  }
}

export function rowsOf(model: Model, changed: () => void): NumberRow[] {
  return model.parameters.map((row) => new NumberRow(row, travel(row), row.default, changed));
}
