// A fitted modal model in the forms in which the commands take it.

import { download } from "../dom";
import { tomlNumber } from "./copy";

/// The keys of `microslip fit modal --json` that the pages use.
export interface ModalFit {
  sensors?: string[];
  modes: {
    mode_hz: number;
    coordinate: string;
    quantity?: string;
    model: string;
    mass: number;
    parameters: Record<string, number>;
    shape?: number[];
  }[];
}

const besideTheJoint = ["linear_stiffness", "damping"];
const list = (values: number[]): string => `[${values.map(tomlNumber).join(", ")}]`;

/// `[[mode]]` and `[[sensor]]` rows, for `simulate`, `respond` and `predict`. Shapes are given at the sensors, so each
/// sensor reads its own coordinate.
export function modalToml(fit: ModalFit): string {
  const modes = fit.modes.map((mode) => {
    const joint = Object.entries(mode.parameters).filter(([name]) => !besideTheJoint.includes(name));
    return [
      "[[mode]]",
      `name = "${mode.mode_hz} Hz"`,
      `coordinate = ${JSON.stringify(mode.coordinate)}`,
      ...(mode.quantity ? [`quantity = "${mode.quantity}"`] : []),
      `mass = ${tomlNumber(mode.mass)}`,
      ...besideTheJoint.filter((name) => name in mode.parameters).map((name) => `${name} = ${tomlNumber(mode.parameters[name])}`),
      `joint = { model = "${mode.model}", ${joint.map(([name, value]) => `${name} = ${tomlNumber(value)}`).join(", ")} }`,
      ...(mode.shape ? [`shape = ${list(mode.shape)}`] : []),
    ].join("\n");
  });
  const names = fit.sensors ?? [];
  const sensors = names.map((name, i) => `[[sensor]]\nname = ${JSON.stringify(name)}\nrow = ${list(names.map((_, k) => (k === i ? 1 : 0)))}`);
  return `${[...modes, ...sensors].join("\n\n")}\n`;
}

export function saveModel(fit: ModalFit, form: "json" | "toml"): void {
  if (form === "json") download("modal-model.json", "application/json", JSON.stringify(fit, null, 2));
  else download("modal-model.toml", "text/plain", modalToml(fit));
}
