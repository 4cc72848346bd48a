import { expect, test } from "@playwright/test";
import { Laws } from "../../web/src/workbench/laws";
import { run, Server } from "./server";

let server: Server;
let laws: Laws;
test.beforeAll(async () => {
  server = await Server.start();
  const before = globalThis.fetch;
  globalThis.fetch = (path) => before(new URL(String(path), server.address));
  laws = (await Laws.load(run("models")))!;
  globalThis.fetch = before;
  expect(laws).toBeDefined();
});
test.afterAll(async () => { expect(await server.stop()).toBe(0); });

// Both compute the same formulas; their powers and logarithms come from different mathematical libraries and may differ
// in the last bit, which differences of slopes and an amplitude found by its force enlarge.
for (const model of run("models"))
  test(`the page's own ${model.name} gives what the server gives`, async ({ request }) => {
    const parameters = Object.fromEntries(model.parameters.filter((row: any) => row.required || row.default !== 0).map((row: any) => [row.name, row.default]));
    const asked = { model: model.name, parameters, amplitude: 1e-4, from: 1e-7, to: 5e-4, points: 40, measured: { force: [10, 100], dissipation: [1e-7, 1e-4] } };
    const told = await (await request.post(new URL("/api/v1/curves", server.address).href, { data: asked })).json();
    const own = laws.curves(asked)!;
    const same = (name: string, a: (number | null)[], b: (number | null)[], close: number) => {
      expect(a.length, name).toBe(b.length);
      const size = Math.max(...b.map((value) => Math.abs(value ?? 0)));
      a.forEach((value, i) => {
        expect(value === null, `${name}[${i}]`).toBe(b[i] === null);
        if (value !== null) expect(Math.abs(value - b[i]!), `${name}[${i}] of ${size}`).toBeLessThanOrEqual(close * size);
      });
    };
    for (const name of ["amplitude", "monotonic_force", "force", "dissipation", "secant_stiffness"] as const) same(name, own[name], told[name], 1e-13);
    same("slope", own.slope, told.slope, 1e-11);
    for (const name of ["displacement", "force"] as const) same(`loop.${name}`, own.loop[name], told.loop[name], 1e-13);
    for (const name of ["dissipation", "secant_stiffness"] as const) same(`loop.${name}`, [own.loop[name]], [told.loop[name]], 1e-13);
    same("comparison", own.comparison!.dissipation, told.comparison.dissipation, 1e-11);
    same("residual", [own.comparison!.residual], [told.comparison.residual], 1e-11);
  });

test("a law that the library refuses is nothing, and the next one is drawn as ever", () => {
  const asked = (chi: number) => laws.curves({ model: "iwan4", parameters: { slip_force: 1, stiffness: 1, chi, beta: 1 }, amplitude: 1, from: 0.1, to: 2, points: 5 });
  expect(asked(-3)).toBeUndefined();
  expect(asked(-0.5)!.amplitude.length).toBe(5);
});
