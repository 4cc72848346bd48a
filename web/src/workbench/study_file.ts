// The result of `microslip study --json`, checked: what is missing is said with its place in the file.

import type { Numbers } from "../figure/types";

export interface Errors {
  frequency: number | null;
  damping: number | null;
}

export interface Backbone {
  amplitude: Numbers; // modal, √kg·m: where the model was asked, point by point as measured
  frequency_hz: Numbers;
  damping_ratio: Numbers;
}

export interface FrontPoint extends Errors {
  parameters: Record<string, number>;
  modes: Errors[]; // in the order of `measured`, as backbones are
  backbones?: Backbone[];
}

export interface Combination {
  name: string;
  front: FrontPoint[];
  area_fraction: Numbers;
  seconds: number | null;
}

export interface Measured {
  mode: number;
  fitted: boolean;
  amplitude: Numbers; // as measured: modal, or metres at the study's sensor
  frequency_hz: Numbers;
  damping_ratio: Numbers;
  variability: Errors | null; // the larger of what its scatter amounts to, up and down
}

export interface Study {
  measured: Measured[];
  combinations: Combination[];
  ranking: string[];
}

type Value = unknown;
const isObject = (value: Value): value is Record<string, Value> => typeof value === "object" && value !== null && !Array.isArray(value);

class Reader {
  constructor(private readonly value: Value, private readonly where: string) {}

  private fail(what: string): never {
    throw new Error(`${this.where} ${what}. Is this the result of microslip study --json?`);
  }
  key(name: string): Reader {
    if (!isObject(this.value)) this.fail("is not an object");
    if (!(name in this.value)) throw new Error(`${this.where}: '${name}' is missing. Is this the result of microslip study --json?`);
    return new Reader(this.value[name], `${this.where}: ${name}`);
  }
  has(name: string): boolean {
    return isObject(this.value) && name in this.value && this.value[name] !== null;
  }
  list(): Reader[] {
    if (!Array.isArray(this.value)) this.fail("is not a list");
    return this.value.map((entry, i) => new Reader(entry, `${this.where}[${i}]`));
  }
  number(): number | null {
    if (this.value === null) return null;
    if (typeof this.value !== "number") this.fail("is not a number");
    return this.value;
  }
  flag(): boolean {
    return this.value === true;
  }
  text(): string {
    if (typeof this.value !== "string") this.fail("is not a text");
    return this.value;
  }
  numbers(): Numbers {
    return this.list().map((entry) => entry.number());
  }
  entries(): [string, Reader][] {
    if (!isObject(this.value)) this.fail("is not an object");
    return Object.keys(this.value).map((name) => [name, this.key(name)]);
  }
}

const larger = (a: number | null, b: number | null): number => Math.max(Math.abs(a ?? 0), Math.abs(b ?? 0));

const variability = (at: Reader): Errors => {
  const of = (name: string) => larger(at.key("upper").key(name).number(), at.key("lower").key(name).number());
  return { frequency: of("frequency"), damping: of("damping") };
};

const measured = (at: Reader): Measured => ({
  mode: at.key("mode").number() ?? 0,
  fitted: at.has("fitted") && at.key("fitted").flag(),
  amplitude: at.key("amplitude").numbers(),
  frequency_hz: at.key("frequency_hz").numbers(),
  damping_ratio: at.key("damping_ratio").numbers(),
  variability: at.has("variability") ? variability(at.key("variability")) : null,
});

const backbones = (at: Reader): Backbone[] =>
  at.key("backbones").list().map((mode) => ({ amplitude: mode.key("amplitude").numbers(), frequency_hz: mode.key("frequency_hz").numbers(), damping_ratio: mode.key("damping_ratio").numbers() }));

function combination(at: Reader): Combination {
  const modes = at.key("predictions").list().map((mode) => ({ frequency: mode.key("frequency_error").numbers(), damping: mode.key("damping_error").numbers() }));
  const front = at.key("front").list().map((point, i): FrontPoint => ({
    frequency: point.key("frequency_error").number(),
    damping: point.key("damping_error").number(),
    parameters: Object.fromEntries(point.key("parameters").entries().filter(([name]) => name !== "not_finite").map(([name, value]) => [name, value.number() ?? NaN])),
    modes: modes.map((mode) => ({ frequency: mode.frequency[i] ?? null, damping: mode.damping[i] ?? null })),
    backbones: point.has("backbones") ? backbones(point) : undefined,
  }));
  for (const chosen of at.has("three") ? at.key("three").list() : []) {
    const point = front[chosen.key("member").number() ?? -1];
    if (point) point.backbones ??= backbones(chosen);
  }
  return { name: at.key("name").text(), front, area_fraction: at.key("area_fraction").numbers(), seconds: at.has("seconds") ? at.key("seconds").number() : null };
}

/// Throws an Error whose message begins with the file's name.
export function readStudy(text: string, name: string): Study {
  let value: Value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name}: not JSON: ${(error as Error).message}`);
  }
  const top = new Reader(value, name);
  const study: Study = {
    measured: top.key("measured").list().map(measured),
    combinations: top.key("combinations").list().map(combination),
    ranking: top.key("ranking").list().map((entry) => (entry.has("name") ? entry.key("name") : entry).text()),
  };
  for (const each of study.combinations)
    each.front.forEach((point, i) => {
      for (const [what, list] of [["predictions", point.modes], ["backbones", point.backbones ?? point.modes]] as const)
        if (list.length !== study.measured.length)
          throw new Error(`${name}: ${each.name}: front[${i}] has ${what} of ${list.length} modes, but ${study.measured.length} were measured`);
    });
  return study;
}
