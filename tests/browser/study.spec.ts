import { expect, test, type Page } from "@playwright/test";
import { join } from "node:path";
import { Server } from "./server";
import { everyControlIsReached, wrongOn } from "./steps";

const out = process.env.MICROSLIP_BROWSER_OUT!;
let server: Server;
test.beforeAll(async () => { server = await Server.start(); });
test.afterAll(async () => { expect(await server.stop()).toBe(0); });

// Three models, two modes: a result small enough to be read here, in the form of microslip study --json.
const amplitude = [1e-6, 1e-5, 1e-4]; // metres at a sensor
const modal = (mode: number, model: number) => amplitude.map((a) => a * (0.1 * mode + 0.01 * model)); // by each model's own shape
const bend = (low: number, by: number) => amplitude.map((_, i) => low * (1 - by * i));
const front = (scale: number, n: number) => Array.from({ length: n }, (_, i) => ({ frequency_error: scale * 0.002 * 1.5 ** i, damping_error: (scale * 0.2) / 1.4 ** i, parameters: { slip_force: 100 + i, stiffness: 1e7, chi: -0.5 } }));
const backbones = (model: number, f: number, z: number) => [[1, 150], [2, 580]].map(([mode, base]) => ({ mode, amplitude: modal(mode, model), frequency_hz: bend(base * (1 + mode * f), 0.02), damping_ratio: bend(0.002 * (1 + mode * z), -0.5) }));
const combinations = [["iwan4 whole masing", 1], ["jenkins whole masing", 3], ["jenkins full reversal", 2]].map(([name, scale], i) => {
  const points = front(scale as number, 6 - i);
  const all = points.map((p) => backbones(i, p.frequency_error, p.damping_error));
  return {
    name: name as string,
    front: i === 1 ? points.map((p, k) => ({ ...p, backbones: all[k] })) : points,
    predictions: [1, 2].map((mode) => ({ mode, fitted: mode === 1, frequency_error: points.map((p) => mode * p.frequency_error), damping_error: points.map((p) => mode * p.damping_error) })),
    three: [0, 2, points.length - 1].map((member) => ({ member, parameters: points[member].parameters, backbones: all[member] })),
    area_fraction: [0.1 * (i + 1), 0.2 * (i + 1)], parameters: {}, seconds: 1.5 + i, all,
  };
});
const result = {
  measured: [1, 2].map((mode, i) => ({ mode, fitted: i === 0, amplitude, frequency_hz: bend([150, 580][i], 0.02), damping_ratio: bend(0.002, -0.5), variability: { upper: { frequency: 0.003, damping: 0.05 }, lower: { frequency: 0.002, damping: 0.06 }, area_fraction: 0.2 } })),
  combinations,
  ranking: ["iwan4 whole masing", "jenkins full reversal", "jenkins whole masing"].map((name, i) => ({ rank: i + 1, name })),
};
const ranked = result.ranking.map((row) => row.name);
const file = (text: string) => ({ name: "study.json", mimeType: "application/json", buffer: Buffer.from(text) });

async function open(page: Page): Promise<string[]> {
  const wrong = wrongOn(page);
  await page.goto(`${server.address}#study`);
  await expect(page.locator("#page")).toHaveAttribute("data-ready", "study");
  return wrong;
}
async function drop(page: Page): Promise<void> {
  await page.locator(".study .drop input").setInputFiles(file(JSON.stringify(result)));
  await expect(page.locator(".study")).toHaveAttribute("data-picked", "iwan4 whole masing 0");
}
const traces = (page: Page, id: string) => page.evaluate((name) => (document.querySelector(`#figure-${name} .plot`) as any).data.map((t: any) => ({ name: t.name, x: [...t.x], y: [...t.y] })), id);

test("a result opens: fronts, ranking and the best model's backbones", async ({ page }) => {
  const wrong = await open(page);
  await drop(page);
  const fronts = await traces(page, "fronts");
  expect(fronts.map((t: any) => t.name)).toEqual(["iwan4 whole masing", "jenkins whole masing", "jenkins full reversal", "scatter of the measurement", "picked"]);
  expect(fronts[0].x).toEqual(result.combinations[0].front.map((p) => 100 * p.frequency_error));
  expect(await page.locator("#table-ranking tbody tr td:nth-child(2)").allInnerTexts()).toEqual(ranked);
  const mode = await traces(page, "backbone-2");
  expect(mode.find((t: any) => t.name === "iwan4 whole masing").y).toEqual(combinations[0].all[0][1].frequency_hz);
  await page.screenshot({ path: join(out, "study-light.png"), fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(out, "study-dark.png"), fullPage: true });
  expect(wrong).toEqual([]);
});

test("models are filtered by words and one by one", async ({ page }) => {
  await open(page);
  await drop(page);
  const names = async () => (await traces(page, "fronts")).map((t: any) => t.name).filter((name: string) => name.includes(" ") && !name.includes("scatter"));
  await page.locator("input[name=filter]").fill("jenkins MASING");
  await expect.poll(names).toEqual(["jenkins whole masing"]);
  await page.getByRole("button", { name: "None" }).click();
  await expect.poll(names).toEqual([]);
  await page.getByLabel("jenkins full reversal", { exact: true }).check();
  await expect.poll(names).toEqual(["jenkins full reversal"]);
  await page.getByRole("button", { name: "All", exact: true }).click();
  await expect.poll(async () => (await names()).length).toBe(3);
});

test("a click on a front, or the keyboard, picks a point and shows its backbones", async ({ page }) => {
  await open(page);
  await drop(page);
  const plot = page.locator("#figure-fronts .plot");
  await plot.scrollIntoViewIfNeeded();
  const at = await plot.evaluate((element: any) => {
    const box = element.getBoundingClientRect(), { xaxis, yaxis } = element._fullLayout, own = element.data[1];
    return { x: box.x + xaxis._offset + xaxis.c2p(own.x[3]), y: box.y + yaxis._offset + yaxis.c2p(own.y[3]) };
  });
  await page.mouse.move(at.x, at.y);
  await page.mouse.click(at.x, at.y);
  await expect(page.locator(".study")).toHaveAttribute("data-picked", "jenkins whole masing 3");
  await expect(page.locator("#table-picked")).toContainText("103");
  const mode = await traces(page, "backbone-1");
  expect(mode.find((t: any) => t.name === "jenkins whole masing").y).toEqual(combinations[1].all[3][0].frequency_hz);
  await page.locator("input[name=point]").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(page.locator(".study")).toHaveAttribute("data-picked", "jenkins whole masing 2");
  // Of this model the file holds three points' backbones: the nearest are shown, and the page says which.
  await page.locator("select[name=model]").selectOption("0");
  await page.locator("input[name=point]").focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(".study")).toHaveAttribute("data-picked", "iwan4 whole masing 1");
  await expect(page.locator(".picked > [role=status]")).toContainText("those of point 1.");
  await page.locator("select[name=errors]").selectOption("1");
  await expect.poll(async () => (await traces(page, "fronts"))[0].x).toEqual(result.combinations[0].front.map((p) => 100 * (2 * p.frequency_error)));
});

test("data and model stand over the model's modal amplitude, as in the report", async ({ page }) => {
  const wrong = await open(page);
  await drop(page);
  const title = (id: string) => page.locator(`#figure-${id} .plot`).evaluate((plot: any) => plot._fullLayout.xaxis.title.text);
  for (const [model, name] of combinations.map((each, i) => [i, each.name] as const)) {
    await page.locator("select[name=model]").selectOption(String(model));
    await expect(page.locator(".study")).toHaveAttribute("data-picked", `${name} 0`);
    for (const mode of [1, 2]) {
      const shown = await traces(page, `backbone-${mode}`);
      expect(shown.map((t: any) => t.name)).toEqual(["measured", name, "measured", name]);
      for (const trace of shown) expect(trace.x, trace.name).toEqual(modal(mode, model));
      expect(await title(`backbone-${mode}`)).toBe("amplitude [√kg·m]");
    }
  }
  // Without backbones there is no modal amplitude: the data stand alone, over what was measured.
  const bare = { ...result, combinations: combinations.map((each) => ({ ...each, front: each.front.map((p) => ({ ...p, backbones: null })), three: [] })) };
  await page.locator(".study .drop input").setInputFiles(file(JSON.stringify(bare)));
  await expect(page.locator(".picked > [role=status]")).toContainText("no backbones");
  await expect.poll(async () => (await traces(page, "backbone-1")).map((t: any) => t.name)).toEqual(["measured", "measured"]);
  for (const trace of await traces(page, "backbone-1")) expect(trace.x).toEqual(amplitude);
  expect(await title("backbone-1")).toBe("amplitude as measured");
  await expect(page.locator("#figure-backbone-1 .plot")).toHaveAttribute("aria-label", /against amplitude as measured\./);
  expect(wrong).toEqual([]);
});

test("a file that is no study shows what is missing, and nothing breaks", async ({ page }) => {
  const wrong = await open(page);
  const input = page.locator(".study .drop input"), error = page.locator(".study .error");
  for (const [text, part] of [["{", "study.json: not JSON"], ["[]", "study.json is not an object"], ['{"measured":[],"combinations":[{}],"ranking":[]}', "combinations[0]: 'predictions' is missing"],
    [JSON.stringify({ ...result, combinations: [{ ...result.combinations[0], predictions: [] }] }), "front[0] has predictions of 0 modes"]]) {
    await input.setInputFiles(file(text));
    await expect(error).toContainText(part);
  }
  await drop(page);
  await expect(error).toBeEmpty();
  const empty = { ...result, combinations: result.combinations.map((each) => ({ ...each, front: [] })) };
  await input.setInputFiles(file(JSON.stringify(empty)));
  await expect(page.locator(".picked")).toContainText("no point on its front");
  expect(wrong).toEqual([]);
});

test("every control is reached by the keyboard alone", async ({ page }) => {
  await open(page);
  await drop(page);
  await everyControlIsReached(page);
});
