import { expect, test, type Page } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { everyControlIsReached, wrongOn } from "./steps";

const out = process.env.MICROSLIP_BROWSER_OUT!;
const gallery = join(out, "gallery", "gallery.html");

test.beforeAll(() => {
  mkdirSync(join(out, "gallery"), { recursive: true });
  execFileSync(join(process.env.MICROSLIP_BIN!, "report_gallery"), [join(out, "gallery")]);
});

/// Opens the report from disk; fails on any console error, exception or attempt to use the network.
async function open(page: Page): Promise<string[]> {
  const wrong = wrongOn(page);
  page.on("request", (request) => !/^(file|data|blob):/.test(request.url()) && wrong.push(`request: ${request.url()}`));
  await page.goto(`file://${gallery}`);
  await expect(page.locator("#page")).toHaveAttribute("data-ready", "true");
  return wrong;
}

async function saved(page: Page, figure: string, button: string): Promise<Buffer> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(figure).getByRole("button", { name: button, exact: true }).click(),
  ]);
  return readFileSync(await file.path());
}

test("opens from disk, complete and silent, in light, dark and print", async ({ page }) => {
  const wrong = await open(page);
  expect(statSync(gallery).size).toBeLessThan(3_000_000);
  await expect(page.locator("figure.figure .main-svg")).not.toHaveCount(0);
  await expect(page.locator("figure.figure")).toHaveCount(8);
  await expect(page.locator("h1")).toHaveText("Gallery of figures <b>&</b> notes");
  await page.screenshot({ path: join(out, "gallery-light.png"), fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.screenshot({ path: join(out, "gallery-dark.png"), fullPage: true });
  await page.pdf({ path: join(out, "gallery.pdf"), format: "A4", preferCSSPageSize: true });
  expect(wrong).toEqual([]);
});

test("printed pages hold every figure at the width of the paper", async ({ page }) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.setViewportSize({ width: 680, height: 960 });
  await open(page);
  await expect(page.locator("html")).toHaveClass(/printing/);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light"); // paper is white
  for (const plot of await page.locator(".plot").all()) expect((await plot.boundingBox())!.width).toBeLessThanOrEqual(680);
  await expect(page.locator(".buttons").first()).toBeHidden();
});

test("log and linear, zoom by key, reset: the axes follow and points that cannot be shown are counted", async ({ page }) => {
  const wrong = await open(page);
  const figure = page.locator("#figure-backbone");
  const toggle = figure.getByRole("button", { name: "log y2" });
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  await expect(figure.locator(".message")).toContainText("1 point is zero or negative");
  await toggle.focus();
  await page.keyboard.press("Enter");
  await expect(toggle).toHaveAttribute("aria-pressed", "false");
  await expect(figure.locator(".message")).toBeEmpty();

  const range = () => page.evaluate(() => (document.querySelector("#figure-loops .plot") as any)._fullLayout.xaxis.range as number[]);
  const all = await range();
  await page.locator("#figure-loops .plot").focus();
  await page.keyboard.press("+");
  await expect.poll(async () => { const [a, b] = await range(); return (b - a) / (all[1] - all[0]); }).toBeCloseTo(0.7, 6);
  await page.keyboard.press("0");
  await expect.poll(range).toEqual(all);
  expect(wrong).toEqual([]);
});

test("zooming into a long record brings its cycles back", async ({ page }) => {
  await open(page);
  const points = () => page.evaluate(() => {
    const plot = document.querySelector("#figure-record .plot") as any;
    const [low, high] = plot._fullLayout.xaxis.range;
    return plot.data[0].x.filter((x: number) => x >= low && x <= high).length as number;
  });
  expect(await points()).toBeLessThanOrEqual(4000);
  await page.evaluate(() => (window as any).Plotly.relayout(document.querySelector("#figure-record .plot"), { "xaxis.range[0]": 1, "xaxis.range[1]": 1.2 }));
  // Everything that the file holds of these 0.2 s, not the few points of them that the whole picture needs.
  const stored = await page.evaluate(() => {
    const figure = JSON.parse(document.getElementById("data")!.textContent!).sections[0].figures[0];
    return figure.traces[0].x.filter((x: number) => x >= 1 && x <= 1.2).length as number;
  });
  await expect.poll(points).toBe(stored);
  expect(stored).toBeGreaterThan(400);
});

test("what is shown is what is exported", async ({ page }) => {
  await open(page);
  const csv = (await saved(page, "#figure-dissipation", "CSV")).toString();
  expect(csv.split("\r\n")[0]).toBe('trace,"force, zero to peak [N]",dissipation [J],lower,upper,colour value,note');
  expect(csv).toContain("measured,10,");
  expect(csv).toContain("rejected: outlier <3 sigma>");
  expect(csv.trim().split("\r\n")).toHaveLength(1 + 7 + 2 + 2);

  // Hide a trace in the legend: it leaves the export too.
  await page.evaluate(() => (window as any).Plotly.restyle(document.querySelector("#figure-dissipation .plot"), { visible: "legendonly" }, [1]));
  expect((await saved(page, "#figure-dissipation", "CSV")).toString()).not.toContain("slope 2");

  const svg = (await saved(page, "#figure-dissipation", "SVG")).toString();
  expect(svg).toMatch(/^<svg/);
  expect(svg).toContain("dissipation [J]");
  const png = await saved(page, "#figure-dissipation", "PNG");
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect(png.length).toBeGreaterThan(10_000);
  expect((await saved(page, "#table-parameters", "CSV")).toString()).toContain("stiffness,14987654,N/m");
});

test("tables sort by mouse and keyboard, unknown values last", async ({ page }) => {
  await open(page);
  const first = () => page.locator("#table-parameters tbody tr td:first-child").allInnerTexts();
  const head = page.locator("#table-parameters").getByRole("button", { name: /95 % low/ });
  await head.click();
  expect(await first()).toEqual(["chi", "slip_force", "stiffness", "beta"]);
  await head.focus();
  await page.keyboard.press("Space");
  expect(await first()).toEqual(["stiffness", "slip_force", "chi", "beta"]);
  await expect(page.locator("#table-parameters th").nth(3)).toHaveAttribute("aria-sort", "descending");
});

test("the slider steps, and a click on a point of the front moves it", async ({ page }) => {
  await open(page);
  const label = page.locator("#figure-loops .step");
  await expect(label).toHaveText("5 µm");
  await page.locator("#figure-loops input[type=range]").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(label).toHaveText("4 µm");
  await page.locator("#figure-front").scrollIntoViewIfNeeded();
  const at = await page.evaluate(() => {
    const plot = document.querySelector("#figure-front .plot") as any, box = plot.getBoundingClientRect(), layout = plot._fullLayout;
    return { x: box.x + layout.xaxis._offset + layout.xaxis.c2p(plot.data[0].x[1]), y: box.y + layout.yaxis._offset + layout.yaxis.c2p(plot.data[0].y[1]) };
  });
  await page.mouse.move(at.x, at.y);
  await page.mouse.click(at.x, at.y);
  await expect(label).toHaveText("2 µm");
});

test("every control is reached by the keyboard alone", async ({ page }) => {
  await open(page);
  await everyControlIsReached(page);
});
