import { expect, test, type Page } from "@playwright/test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { run, Server } from "./server";

const out = process.env.MICROSLIP_BROWSER_OUT!;
const record = join(out, "decay.csv");
let server: Server;
test.beforeAll(async () => {
  // A decay at 80 Hz, 1 % of critical, sampled at 2 kHz.
  mkdirSync(out, { recursive: true });
  const lines = ["time [s],acc [m/s^2]"];
  for (let i = 0; i < 4000; ++i) {
    const t = i / 2000;
    lines.push(`${t},${10 * Math.exp(-0.01 * 2 * Math.PI * 80 * t) * Math.cos(2 * Math.PI * 80 * t)}`);
  }
  writeFileSync(record, lines.join("\n") + "\n");
  server = await Server.start();
});
test.afterAll(async () => { expect(await server.stop()).toBe(0); });

async function open(page: Page): Promise<string[]> {
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(String(error)));
  await page.goto(`${server.address}#ringdown`);
  await expect(page.locator("#page")).toHaveAttribute("data-ready", "ringdown");
  return wrong;
}

test("a dropped record is measured as microslip ringdown --json measures it", async ({ page }) => {
  const wrong = await open(page);
  await page.locator("aside > .drop input").setInputFiles(record);
  await expect(page.locator(".ringdown .figures .plot").first()).toBeVisible(); // its spectrum
  await page.locator("input[name=mode]").fill("80");
  await page.locator("input[name=low]").fill("60");
  await page.locator("input[name=high]").fill("100");
  await page.getByRole("button", { name: "Measure" }).click();
  await expect(page.locator(".ringdown")).toHaveAttribute("data-measured", "1");
  await expect(page.locator(".error")).toBeEmpty();
  const shown: any = await page.evaluate(() => (document.querySelector(".ringdown") as any).result);
  const told = run("ringdown", record, "--mode", "80", "--band", "60", "100");
  for (const key of ["amplitude", "frequency_hz", "damping_ratio", "dissipation"]) expect(shown.modes[0][key], key).toEqual(told.modes[0][key]);
  await expect(page.locator(".results").first()).toContainText("decay.csv");
  await expect(page.locator(".results").first()).not.toContainText("microslip-serve"); // the server's own folder
  await page.screenshot({ path: join(out, "ringdown-light.png"), fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(out, "ringdown-dark.png"), fullPage: true });
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save report" }).click()]);
  expect(file.suggestedFilename()).toBe("ringdown.html");
  expect(wrong).toEqual([]);
});

test("a band drawn over the spectrum is measured at once", async ({ page }) => {
  await open(page);
  await page.locator("aside > .drop input").setInputFiles(record);
  const plot = page.locator(".ringdown .figures .plot").first();
  await expect(plot.locator(".main-svg").first()).toBeVisible();
  await plot.scrollIntoViewIfNeeded();
  const at = await plot.evaluate((element: any) => {
    const box = element.getBoundingClientRect(), x = element._fullLayout.xaxis, y = element._fullLayout.yaxis;
    const px = (v: number) => box.x + x._offset + x.c2p(v);
    return { from: px(60), to: px(100), y: box.y + y._offset + y._length / 2 };
  });
  await page.mouse.move(at.from, at.y);
  await page.mouse.down();
  await page.mouse.move((at.from + at.to) / 2, at.y + 5);
  await page.mouse.move(at.to, at.y + 10);
  await page.mouse.up();
  await expect(page.locator(".ringdown")).toHaveAttribute("data-measured", "1");
  expect(Number(await page.locator("input[name=mode]").inputValue())).toBeGreaterThan(70);
  expect(Number(await page.locator("input[name=mode]").inputValue())).toBeLessThan(90);
});

test("the early time is set to zero as microslip zefft does it", async ({ page }) => {
  const wrong = await open(page);
  await page.locator("aside > .drop input").setInputFiles(record);
  await expect(page.locator(".ringdown .figures .plot").first()).toBeVisible();
  await page.locator("input[name=times]").fill("0.01, 0.2 0.5");
  await page.getByRole("button", { name: "ZEFFT" }).click();
  await expect(page.locator(".ringdown")).toHaveAttribute("data-zeroed", "3");
  const told = run("zefft", record, "--times", "0.01,0.2,0.5");
  const drawn = await page.locator("[id^=figure-zeroed] .plot").evaluate((plot: any) => plot.data.map((trace: any) => trace.y.filter((y: number | null) => y !== null)));
  const highest = (list: number[]) => list.reduce((a, b) => Math.max(a, b), 0);
  for (const [i, spectrum] of told.spectra.entries()) expect(highest(drawn[i])).toBe(Number(highest(spectrum).toPrecision(10))); // figures hold ten digits
  expect(wrong).toEqual([]);
});

test("long work shows how far it is, and can be cancelled", async ({ page }) => {
  const wrong = await open(page);
  // The same record many times over: repeats, between which the work looks whether it is still wanted.
  const text = readFileSync(record);
  await page.locator("aside > .drop input").setInputFiles(Array.from({ length: 60 }, (_, i) => ({ name: `repeat-${i}.csv`, mimeType: "text/csv", buffer: text })));
  await expect(page.locator(".ringdown .figures .plot").first()).toBeVisible();
  await page.locator("input[name=mode]").fill("80");
  await page.getByRole("button", { name: "Measure" }).click();
  await expect(page.locator(".job progress")).toBeVisible();
  await expect(page.locator(".job [role=status]")).toContainText(/repeat-\d+\.csv|reading/); // the user's name, no path
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.locator(".error")).toHaveText("cancelled");
  await expect(page.locator(".job")).toBeHidden();
  await expect(page.locator(".ringdown")).not.toHaveAttribute("data-measured", /.+/);
  // And the next piece of work is taken.
  await page.locator("aside > .drop input").setInputFiles(record);
  await expect(page.locator(".error")).toBeEmpty();
  await page.getByRole("button", { name: "Measure" }).click();
  await expect(page.locator(".ringdown")).toHaveAttribute("data-measured", "1");
  expect(wrong).toEqual([]);
});

test("a file that is no record shows the library's line", async ({ page }) => {
  const wrong = await open(page);
  await page.locator("aside > .drop input").setInputFiles({ name: "noise.mat", mimeType: "application/octet-stream", buffer: Buffer.from("not a MAT file at all") });
  await expect(page.locator(".error")).toContainText("noise.mat");
  await page.locator("aside > .drop input").setInputFiles(record);
  await expect(page.locator(".error")).toBeEmpty();
  expect(wrong).toEqual([]);
});

test("a record is predicted from its force as microslip predict --json does it", async ({ page }) => {
  await open(page);
  const data = join(process.env.MICROSLIP_SOURCE_DIR!, "data", "two-beam");
  const model = join(out, "model.toml");
  writeFileSync(model, '[[mode]]\nmass = 1.0\nlinear_stiffness = 4.41e5\ndamping = 1.505\njoint = { model = "iwan4", slip_force = 2.33, stiffness = 1.37e5, chi = -0.178, beta = 0.0316 }\n');
  const files = [model, join(data, "level-3.h5"), join(data, "shapes.json")];
  const sent = files.map((name) => ({ name: basename(name), base64: readFileSync(name).toString("base64") }));
  const shown: any = await page.evaluate(async (list) => {
    const post = async (path: string, type: string, body: BodyInit) => (await fetch(path, { method: "POST", headers: { "Content-Type": type }, body })).json();
    const ids: number[] = [];
    for (const each of list) ids.push((await post(`/api/v1/files?name=${each.name}`, "application/octet-stream", Uint8Array.from(atob(each.base64), (c) => c.charCodeAt(0)))).file);
    const { job } = await post("/api/v1/predict", "application/json", JSON.stringify({ model: ids[0], record: ids[1], shapes: ids[2], hit: "p25" }));
    for (;;) {
      const status = await (await fetch(`/api/v1/jobs/${job}`)).json();
      if (status.state !== "queued" && status.state !== "running") return status;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }, sent);
  const told = run("predict", model, files[1], "--shapes", files[2], "--hit", "p25");
  expect(shown.state).toBe("done");
  expect(shown.output.result.error).toBe(told.error);
  expect(shown.output.page.sections.length).toBeGreaterThan(0);
});
