import { expect, test } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { forms } from "../../web/src/workbench/copy";
import { modalToml } from "../../web/src/workbench/modal_model";
import { program, run } from "./server";

const out = join(process.env.MICROSLIP_BROWSER_OUT!, "copied");
const laws: { model: string; parameters: Record<string, number> }[] = run("models").map((law: any) =>
  ({ model: law.name, parameters: Object.fromEntries(law.parameters.map((p: any) => [p.name, p.default])) }));

test("the C++ that is copied compiles, for every law", () => {
  expect(laws.length).toBeGreaterThan(9);
  mkdirSync(out, { recursive: true });
  const file = join(out, "laws.cpp");
  const each = laws.map((law, i) => `double law_${i}() { ${forms["C++"](law, 1e-6)} return joint.evaluate({}, 1e-6).force; }`);
  writeFileSync(file, ["#include <microslip/joints/any_law.hpp>", ...each, ""].join("\n"));
  execFileSync("c++", ["-std=c++20", "-fsyntax-only", "-Wno-ignored-attributes", `-I${process.env.MICROSLIP_SOURCE_DIR}/src`, "-I/usr/include/eigen3", file], { stdio: "inherit" });
});

test("the Python that is copied runs, for every law", () => {
  const python = join(process.env.MICROSLIP_BIN!, "..", "python");
  test.skip(!existsSync(python), "built without the Python package");
  const lines = laws.map((law) => `${forms.Python(law, 1e-6)}\nprint(type(joint).__name__)`);
  const said = execFileSync("/usr/bin/python3", ["-c", ["import microslip", ...lines].join("\n")], { env: { ...process.env, PYTHONPATH: python } });
  expect(said.toString().trim().split("\n").length).toBe(laws.length);
});

test("the shell line that is copied runs, for every law", () => {
  for (const law of laws) {
    const [, verb, ...words] = forms.Shell(law, 1e-6).split(" ");
    const normal = law.model === "elastic_dry_friction" && !(law.parameters.normal_force > 0) ? ["normal_force=100"] : [];
    const given = words.filter((word) => !normal.length || !word.startsWith("normal_force="));
    execFileSync(program, [verb, ...given, ...normal, "--json"], { stdio: ["ignore", "ignore", "inherit"] });
  }
});

test("a model of one sensor means the same as TOML and as JSON", () => {
  mkdirSync(out, { recursive: true });
  const [measured, json, toml] = ["ringdown.json", "model.json", "model.toml"].map((name) => join(out, name));
  const record = join(process.env.MICROSLIP_SOURCE_DIR!, "data/two-beam/level-1.h5");
  writeFileSync(measured, JSON.stringify(run("ringdown", record, "--mode", "120", "--channel", "p35")));
  const fit = run("fit", "modal", measured, "--replicas", "0");
  expect(fit.modes[0].coordinate).toBe("p35");
  writeFileSync(json, JSON.stringify(fit));
  writeFileSync(toml, modalToml(fit));
  const [a, b] = [json, toml].map((model) => run("respond", model, "--force", "0.3"));
  expect(a.units.force).toBe("m/s^2");
  expect(b.units).toEqual(a.units);
});
