// A law and its numbers in the form in which other programs take them.

export interface Joint {
  model: string;
  parameters: Record<string, number>;
}

const typeName = (model: string): string => model.split("_").map((word) => word[0].toUpperCase() + word.slice(1)).join("");
const list = (joint: Joint, each: (name: string, value: number) => string, between: string): string =>
  Object.entries(joint.parameters).map(([name, value]) => each(name, value)).join(between);

/// Members are set by name, one after the other: a list of initialisers would have to know in which order the law
/// declares them.
const cpp = (joint: Joint): string =>
  `microslip::${typeName(joint.model)}<double> joint{}; ${list(joint, (name, value) => `joint.${name} = ${value};`, " ")}`;

/// A word that Python reserves is spelt with a line below, as is the custom.
const pythonName = (name: string): string => (name === "lambda" ? "lambda_" : name);

/// The loop of the shell has the amplitude [m] that the pictures have.
export const forms: Record<string, (joint: Joint, amplitude: number) => string> = {
  TOML: (joint) => `joint = { model = "${joint.model}", ${list(joint, (name, value) => `${name} = ${tomlNumber(value)}`, ", ")} }`,
  JSON: (joint) => JSON.stringify(joint),
  "C++": cpp,
  Python: (joint) => `joint = microslip.${typeName(joint.model)}(${list(joint, (name, value) => `${pythonName(name)}=${value}`, ", ")})`,
  Shell: (joint, amplitude) => `microslip loop ${joint.model} ${list(joint, (name, value) => `${name}=${value}`, " ")} --amplitude ${amplitude}`,
};

/// A whole number is an integer in TOML; parameters are not.
export function tomlNumber(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text.replace("e+", "e") : `${text}.0`;
}

/// Into the clipboard, and shown in any case, to be copied by hand.
export function copyOut(place: HTMLElement, text: string): void {
  place.textContent = text;
  void navigator.clipboard?.writeText(text).catch(() => {});
}
