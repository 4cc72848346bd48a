import { expect, test, type Page } from "@playwright/test";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { run, Server } from "./server";
import { everyControlIsReached, wrongOn } from "./steps";

const out = process.env.MICROSLIP_BROWSER_OUT!;
const record = join(out, "decay.csv");
/// A decay at 80 Hz, 1 % of critical, sampled at 2 kHz.
function decayFrom(start: number): string {
  const lines = ["time [s],acc [m/s^2]"];
  for (let i = 0; i < 4000; ++i) {
    const t = i / 2000;
    lines.push(`${t},${start * Math.exp(-0.01 * 2 * Math.PI * 80 * t) * Math.cos(2 * Math.PI * 80 * t)}`);
  }
  return lines.join("\n") + "\n";
}

let server: Server;
test.beforeAll(async () => {
  mkdirSync(out, { recursive: true });
  writeFileSync(record, decayFrom(10));
  server = await Server.start();
});
test.afterAll(async () => { expect(await server.stop()).toBe(0); });

async function open(page: Page, console = true): Promise<string[]> {
  const wrong = wrongOn(page, console);
  await page.goto(`${server.address}#ringdown`);
  await expect(page.locator("#page")).toHaveAttribute("data-ready", "ringdown");
  return wrong;
}

/// The record many times over: repeats, between which the work looks whether it is still wanted.
async function dropRepeats(page: Page): Promise<void> {
  const text = readFileSync(record);
  await page.locator("aside > .drop input").setInputFiles(Array.from({ length: 60 }, (_, i) => ({ name: `repeat-${i}.csv`, mimeType: "text/csv", buffer: text })));
  await expect(page.locator(".ringdown .figures .plot").first()).toBeVisible();
  await page.locator("input[name=mode]").fill("80");
}

/// Presses a button that starts a job; the job's address, once the page shows how far it is.
async function begin(page: Page, name: string, verb: string): Promise<string> {
  const started = page.waitForResponse(`**/api/v1/${verb}`);
  await page.getByRole("button", { name }).click();
  const { job } = await (await started).json();
  await expect(page.locator(".job [role=status]")).not.toBeEmpty();
  return `${server.address}api/v1/jobs/${job}`;
}

/// Draws over the spectrum, from one frequency to the other.
async function drawBand(page: Page, low: number, high: number): Promise<void> {
  const plot = page.locator(".ringdown .figures .plot").first();
  await expect(plot.locator(".main-svg").first()).toBeVisible();
  await plot.scrollIntoViewIfNeeded();
  const at = await plot.evaluate((element: any, [from, to]) => {
    const box = element.getBoundingClientRect(), x = element._fullLayout.xaxis, y = element._fullLayout.yaxis;
    const px = (v: number) => box.x + x._offset + x.c2p(v);
    return { from: px(from), to: px(to), y: box.y + y._offset + y._length / 2 };
  }, [low, high]);
  await page.mouse.move(at.from, at.y);
  await page.mouse.down();
  await page.mouse.move((at.from + at.to) / 2, at.y + 5);
  await page.mouse.move(at.to, at.y + 10);
  await page.mouse.up();
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
  const report = readFileSync(await file.path()).toString();
  const data = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(report)![1]);
  expect(data.subtitle).toBe("decay.csv");
  expect(data.provenance.command).toContain("/api/v1/ringdown");
  expect(data.provenance.inputs).toEqual([{ name: "decay.csv", sha256: createHash("sha256").update(readFileSync(record)).digest("hex") }]);
  expect(wrong).toEqual([]);
});

test("a band drawn over the spectrum is measured at once", async ({ page }) => {
  await open(page);
  await page.locator("aside > .drop input").setInputFiles(record);
  await drawBand(page, 60, 100);
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
  await dropRepeats(page);
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

test("half a band is refused, and what was measured stays", async ({ page }) => {
  const wrong = await open(page);
  await page.locator("aside > .drop input").setInputFiles(record);
  await expect(page.locator(".ringdown .figures .plot").first()).toBeVisible();
  await page.locator("input[name=mode]").fill("80");
  const measure = page.getByRole("button", { name: "Measure" }), error = page.locator(".error");
  await measure.click();
  await expect(page.locator(".ringdown")).toHaveAttribute("data-measured", "1");
  for (const [low, high] of [["60", ""], [" ", "100"]]) {
    await page.locator("input[name=low]").fill(low);
    await page.locator("input[name=high]").fill(high);
    await measure.click();
    await expect(error).toHaveText("a band needs both ends, or none");
    await expect(page.locator("#measured .plot").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Fit modal model" })).toBeEnabled();
    await page.locator("input[name=low]").fill("60");
    await page.locator("input[name=high]").fill("100");
    await measure.click();
    await expect(error).toBeEmpty();
    await expect(measure).toBeEnabled();
  }
  await expect(page.locator(".ringdown")).toHaveAttribute("data-measured", "3");
  expect(wrong).toEqual([]);
});

test("a band drawn while another is measured takes its place", async ({ page }) => {
  const wrong = await open(page);
  await dropRepeats(page);
  const first = await begin(page, "Measure", "ringdown");
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(first, async (route) => { // how the first job ends is told last
    if (route.request().method() === "GET") await released;
    await route.continue();
  });
  await drawBand(page, 60, 100);
  await expect(page.locator(".ringdown")).toHaveAttribute("data-measured", "1", { timeout: 120_000 });
  const told = page.waitForResponse((response) => response.url() === first && response.request().method() === "GET");
  release();
  expect((await (await told).json()).state).toBe("cancelled");
  await page.waitForTimeout(300); // what the page would do now, it has done
  await expect(page.locator(".error")).toBeEmpty();
  await expect(page.locator(".job")).toBeHidden();
  await expect(page.locator("#measured .plot").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Fit modal model" })).toBeEnabled();
  await expect(page.locator(".ringdown")).toHaveAttribute("data-measured", "1");
  expect(wrong).toEqual([]);
});

/// Waits until the server has ended a job and the page, which asks every 0.3 s at the least, has heard of it.
async function ended(page: Page, job: string): Promise<void> {
  await expect.poll(async () => (await (await page.request.get(job)).json()).state, { timeout: 120_000 }).not.toMatch(/queued|running/);
  await page.waitForTimeout(1000);
}

test("of a record dropped while another is measured, only its own decay is shown", async ({ page }) => {
  const wrong = await open(page);
  await dropRepeats(page);
  const job = await begin(page, "Measure", "ringdown");
  await page.locator("aside > .drop input").setInputFiles(record);
  await expect(page.locator("aside > .fit").first()).toContainText("decay.csv");
  await expect(page.locator(".job")).toBeHidden();
  await ended(page, job);
  await expect(page.locator(".error")).toBeEmpty();
  await expect(page.locator("#measured")).toBeEmpty();
  await expect(page.locator(".ringdown")).not.toHaveAttribute("data-measured", /.+/);
  await expect(page.getByRole("button", { name: "Fit modal model" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Save report" })).toBeDisabled();
  expect((await (await page.request.get(job)).json()).state).toBe("cancelled"); // it does not go on for nobody
  await page.getByRole("button", { name: "Measure" }).click();
  await expect(page.locator(".ringdown")).toHaveAttribute("data-measured", "1");
  await expect(page.locator("#measured")).not.toContainText("repeat-");
  expect(wrong).toEqual([]);
});

test("of a record dropped before the last one's spectrum came, only its own is shown", async ({ page }) => {
  const wrong = await open(page);
  let release = () => {}, asked = 0;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/v1/zefft", async (route) => {
    if (++asked === 1) await released;
    await route.continue();
  });
  const first = page.waitForRequest("**/api/v1/zefft");
  await page.locator("aside > .drop input").setInputFiles({ name: "twice.csv", mimeType: "text/csv", buffer: Buffer.from(decayFrom(20)) });
  await first;
  await page.locator("aside > .drop input").setInputFiles(record);
  const highest = () => page.locator(".ringdown .figures .plot").first().evaluate((plot: any) => Math.max(...plot.data[0].y));
  await expect(page.locator(".ringdown .figures .main-svg").first()).toBeVisible();
  const own = await highest();
  const late = page.waitForResponse(async (response) => response.request() === (await first));
  release();
  await (await late).finished();
  await page.waitForTimeout(500);
  expect(await highest()).toBe(own);
  await expect(page.locator("aside > .fit").first()).toContainText("decay.csv");
  expect(wrong).toEqual([]);
});

test("a file that is no record shows the library's line", async ({ page }) => {
  const wrong = await open(page, false);
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

/// The bundled record of the two-beam structure, in modal coordinates, about its first elastic mode.
async function measureTwoBeam(page: Page): Promise<{ record: string; shapes: string }> {
  const data = join(process.env.MICROSLIP_SOURCE_DIR!, "data", "two-beam");
  const own = { record: join(data, "level-4.h5"), shapes: join(data, "shapes.json") };
  await page.locator("aside > .drop input").setInputFiles(own.record);
  await expect(page.locator(".ringdown .figures .plot").first()).toBeVisible();
  await page.locator("summary", { hasText: "Shapes" }).click();
  await page.locator("details .drop input").setInputFiles(own.shapes);
  await expect(page.locator("details .fit")).toContainText("shapes.json");
  await page.locator("input[name=hit]").fill("p25");
  await page.locator("input[name=mode]").fill("120");
  await page.getByRole("button", { name: "Measure" }).click();
  await expect(page.locator(".ringdown")).toHaveAttribute("data-measured", "1");
  return own;
}

test("the modal model fitted to the bundled record is that of microslip fit modal --json", async ({ page }) => {
  const wrong = await open(page);
  const { record, shapes } = await measureTwoBeam(page);
  await page.getByRole("button", { name: "Fit modal model" }).click();
  await expect(page.locator(".ringdown")).toHaveAttribute("data-fitted", "1", { timeout: 120_000 });
  await expect(page.locator(".error")).toBeEmpty();

  const measured = join(out, "two-beam-ringdown.json");
  const decay = run("ringdown", record, "--mode", "120", "--shapes", shapes);
  const seen: any = await page.evaluate(() => (document.querySelector(".ringdown") as any).result);
  for (const key of ["coordinate", "amplitude", "frequency_hz", "damping_ratio", "dissipation", "flag"]) expect(seen.modes[0][key], key).toEqual(decay.modes[0][key]);
  writeFileSync(measured, JSON.stringify(decay));
  const told = run("fit", "modal", measured);
  const shown: any = await page.evaluate(() => (document.querySelector(".ringdown") as any).model);
  for (const key of ["parameters", "intervals", "identifiable", "derived", "residual", "misfit"]) expect(shown.modes[0][key], key).toEqual(told.modes[0][key]);

  // What is seen: intervals and what the data determine, and the model's curves over the measured ones.
  const rows = await page.locator("#table-fitted-mode-1-parameters tbody tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent!)));
  const named = new Map(rows.map((row) => [row[0], row]));
  for (const name of Object.keys(told.modes[0].parameters)) expect(named.get(name)!.join(" "), name).toContain(told.modes[0].identifiable[name] ? "yes" : "no");
  const chi = told.modes[0].parameters.chi;
  expect(Math.abs(Number(named.get("chi")![2]) / chi - 1)).toBeLessThan(1e-3);
  for (const [figure, panels] of [["mode-1-backbone", 2], ["mode-1-dissipation", 1]] as const) {
    const traces = await page.evaluate((id) => (document.querySelector(`#figure-fitted-${id} .plot`) as any).data.map((t: any) => ({ name: t.name, y: t.yaxis ?? "y", n: t.x.length })), figure);
    expect(traces.filter((t: any) => t.name === "model" && t.n > 100), figure).toHaveLength(panels);
    expect(traces.filter((t: any) => t.name === "measured" && t.n > 10), figure).toHaveLength(panels);
  }
  await page.screenshot({ path: join(out, "ringdown-fit-light.png"), fullPage: true });
  await page.locator("#fitted").evaluate((own) => own.scrollIntoView());
  await expect(page.getByRole("button", { name: "Fit modal model" })).toBeInViewport(); // controls stay at hand
  await page.screenshot({ path: join(out, "ringdown-fit-view.png") });

  // The model leaves as JSON and as TOML, and both mean the same to the commands.
  const saved = async (name: string) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    const path = join(out, file.suggestedFilename());
    await file.saveAs(path);
    return path;
  };
  const [json, toml] = [await saved("Model as JSON"), await saved("Model as TOML")];
  const respond = (model: string) => run("respond", model, "--force", "0.5");
  for (const key of ["resonance", "units"]) expect(respond(toml)[key], key).toEqual(respond(json)[key]);
  expect(respond(json).resonance.frequency_hz).toBeGreaterThan(100);

  // And it predicts the record from its force.
  await page.getByRole("button", { name: "Predict" }).click();
  await expect(page.locator(".ringdown")).toHaveAttribute("data-predicted", "1", { timeout: 120_000 });
  const predicted = run("predict", json, record, "--hit", "p25");
  await expect(page.locator("#predicted .verdict .value").first()).toHaveText((100 * predicted.error).toFixed(2));
  const reports: string[] = [];
  page.on("download", (file) => reports.push(file.suggestedFilename()));
  await page.getByRole("button", { name: "Save report" }).click();
  await expect.poll(() => reports).toEqual(["ringdown.html", "fit-modal.html", "prediction.html"]);
  await page.screenshot({ path: join(out, "ringdown-predicted-light.png"), fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(out, "ringdown-predicted-dark.png"), fullPage: true });
  const ids = await page.locator("[id]").evaluateAll((all) => all.filter((e) => !e.closest("svg")).map((e) => e.id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(wrong).toEqual([]);
});

test("a fit can be cancelled, and what was measured stays", async ({ page }) => {
  const wrong = await open(page);
  await measureTwoBeam(page);
  await page.getByRole("button", { name: "Fit modal model" }).click();
  await expect(page.locator(".job [role=status]")).toContainText("mode at 120 Hz");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.locator(".error")).toHaveText("cancelled");
  await expect(page.locator(".ringdown")).not.toHaveAttribute("data-fitted", /.+/);
  await expect(page.getByRole("button", { name: "Model as TOML" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Predict" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Fit modal model" })).toBeEnabled();
  expect(wrong).toEqual([]);
});

test("a record dropped during a fit leaves nothing of it", async ({ page }) => {
  const wrong = await open(page);
  await measureTwoBeam(page);
  const job = await begin(page, "Fit modal model", "fit/modal");
  await page.locator("aside > .drop input").setInputFiles(record);
  await expect(page.locator("aside > .fit").first()).toContainText("decay.csv");
  await ended(page, job);
  await expect(page.locator(".error")).toBeEmpty();
  await expect(page.locator("#measured")).toBeEmpty();
  await expect(page.locator("#fitted")).toBeEmpty();
  await expect(page.locator(".ringdown")).not.toHaveAttribute("data-fitted", /.+/);
  for (const name of ["Fit modal model", "Predict", "Model as JSON", "Save report"]) await expect(page.getByRole("button", { name }), name).toBeDisabled();
  await expect(page.getByRole("button", { name: "Measure" })).toBeEnabled();
  expect(wrong).toEqual([]);
});

test("a record is measured and fitted by the keyboard alone", async ({ page }) => {
  await open(page);
  await page.locator("aside > .drop input").setInputFiles(record); // the file dialog is the browser's own
  await expect(page.locator(".ringdown .figures .plot").first()).toBeVisible();
  const press = async (name: string) => {
    await page.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
  };
  await page.locator("input[name=mode]").focus();
  await page.keyboard.type("80");
  await press("Measure");
  await expect(page.locator(".ringdown")).toHaveAttribute("data-measured", "1");
  await press("Fit modal model");
  await expect(page.locator(".ringdown")).toHaveAttribute("data-fitted", "1", { timeout: 120_000 });
  await page.locator("body").click({ position: { x: 2, y: 2 } });
  await everyControlIsReached(page);
});
