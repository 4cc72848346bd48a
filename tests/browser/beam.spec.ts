import { expect, test, type Page } from "@playwright/test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, Server } from "./server";
import { everyControlIsReached, sliderToPicture, wrongOn } from "./steps";

const out = process.env.MICROSLIP_BROWSER_OUT!;
let server: Server;
test.beforeAll(async () => { server = await Server.start(); });
test.afterAll(async () => { expect(await server.stop()).toBe(0); });

async function open(page: Page, console = true): Promise<string[]> {
  const wrong = wrongOn(page, console);
  await page.goto(`${server.address}#beam`);
  await expect(page.locator("#page")).toHaveAttribute("data-ready", "beam");
  await expect(page.locator(".beam")).toHaveAttribute("data-settled", /.+/);
  return wrong;
}

const field = (page: Page, name: string) => page.locator(`.parameter[data-name=${name}] input[type=text]`);
const value = async (page: Page, key: string) => Number(await page.locator(`.beam [data-key=${key}]`).getAttribute("data-value"));
const settled = (page: Page) => page.locator(".beam").getAttribute("data-settled");
const drawn = (page: Page, figure: string, trace: number) => page.evaluate(([id, i]) => {
  const own = (document.querySelector(`#figure-${id} .plot`) as any).data[i];
  return { x: own.x as number[], y: own.y as number[] };
}, [figure, trace] as const);

async function type(page: Page, name: string, text: string): Promise<void> {
  const before = await settled(page);
  await field(page, name).fill(text);
  await field(page, name).press("Enter");
  await expect.poll(() => settled(page)).not.toBe(before);
}

test("loads without an error, in light and dark", async ({ page }) => {
  const wrong = await open(page);
  await page.screenshot({ path: join(out, "beam-light.png"), fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(out, "beam-dark.png"), fullPage: true });
  expect(wrong).toEqual([]);
});

test("sliders move slip and loop, and the numbers are those of microslip beam --json", async ({ page }) => {
  const wrong = await open(page);
  const before = { loop: await drawn(page, "slip", 0), length: await value(page, "length") };
  await type(page, "friction_coefficient", "0.1");
  expect(await value(page, "length")).toBeGreaterThan(before.length); // less friction, more slip
  await page.locator(".parameter[data-name=preload] input[type=range]").focus();
  const count = await settled(page);
  for (let i = 0; i < 30; ++i) await page.keyboard.press("ArrowLeft");
  await expect.poll(() => settled(page)).not.toBe(count);

  // The page's own TOML, through the command.
  await page.getByRole("button", { name: "TOML", exact: true }).click();
  const toml = await page.locator(".copied").innerText();
  const file = join(out, "beam-from-page.toml");
  writeFileSync(file, toml);
  const told = run("beam", file);
  expect(told.input.bolt.preload).toBe(Number(await field(page, "preload").inputValue()));
  expect(await value(page, "onset")).toBe(told.slip.onset.force);
  // One force against a backbone of steps: the fronts are solved for to 1e-9 of the support's length.
  expect(Math.abs((await value(page, "length")) / (1e3 * told.slip.length[0]) - 1)).toBeLessThan(1e-7);
  expect(Math.abs((await value(page, "dissipation")) / told.dissipation - 1)).toBeLessThan(1e-6);
  const pressure = await drawn(page, "interface", 0);
  pressure.y.forEach((q, i) => expect(Math.abs(1e3 * q - told.pressure.density[i])).toBeLessThan(1e-9 * Math.abs(told.pressure.density[100])));
  expect(await drawn(page, "slip", 0)).not.toEqual(before.loop);
  await expect(page.locator(".error")).toBeEmpty();
  expect(wrong).toEqual([]);
});

test("past the force that the interface bears, the page says so", async ({ page }) => {
  await open(page);
  await page.locator("summary").click();
  await type(page, "frequency_hz", "0");
  await type(page, "angle_deg", "90");
  await type(page, "force", "3000"); // friction bears 0.2 x 10 000 N along the beam
  await expect(page.locator(".beam aside [role=status]").first()).toContainText("slides off at 2000 N");
  await expect(page.locator(".error")).toBeEmpty();
});

test("a value that makes no sense shows the library's line and nothing breaks", async ({ page }) => {
  const wrong = await open(page, false);
  await field(page, "preload").fill("-5");
  await field(page, "preload").press("Enter");
  await expect(page.locator(".error")).toContainText("bolt.preload must be >");
  await type(page, "preload", "5000");
  await expect(page.locator(".error")).toBeEmpty();
  expect(wrong).toEqual([]);
});

test("the whole verb leaves as a report", async ({ page }) => {
  await open(page);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Report", exact: true }).click()]);
  expect(file.suggestedFilename()).toBe("beam.html");
});

test("every control is reached by the keyboard alone", async ({ page }) => {
  await open(page);
  await page.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("details")).toHaveAttribute("open", "");
  await page.locator("body").click({ position: { x: 2, y: 2 } });
  await everyControlIsReached(page);
});

test("slider to picture: measured and reported", async ({ page }) => {
  await open(page);
  await sliderToPicture(page, "beam", "preload", 100);
});
