import { expect, test, type Page } from "@playwright/test";
import { join } from "node:path";
import { run, Server } from "./server";
import { everyControlIsReached, sliderToPicture, wrongOn } from "./steps";

const out = process.env.MICROSLIP_BROWSER_OUT!;
let server: Server;
test.beforeAll(async () => { server = await Server.start(); });
test.afterAll(async () => { expect(await server.stop()).toBe(0); });

async function open(page: Page, errors = true): Promise<string[]> {
  const wrong = wrongOn(page, errors);
  await page.goto(server.address);
  await expect(page.locator("#page")).toHaveAttribute("data-ready", "joint");
  await expect(page.locator(".explorer")).toHaveAttribute("data-settled", /.+/);
  return wrong;
}

const field = (page: Page, name: string) => page.locator(`.parameter[data-name=${name}] input[type=text]`);
const slider = (page: Page, name: string) => page.locator(`.parameter[data-name=${name}] input[type=range]`);
const value = async (page: Page, key: string) => Number(await page.locator(`[data-key=${key}]`).getAttribute("data-value"));
const settled = (page: Page) => page.locator(".explorer").getAttribute("data-settled");

async function type(page: Page, name: string, text: string): Promise<void> {
  if (Number(await field(page, name).inputValue()) === Number(text)) return;
  const before = await settled(page);
  await field(page, name).fill(text);
  await field(page, name).press("Enter");
  await expect.poll(() => settled(page)).not.toBe(before);
}

/// The loop as drawn: data of the picture's first trace.
const drawn = (page: Page) => page.evaluate(() => {
  const trace = (document.querySelector("#figure-loop .plot") as any).data[0];
  return { displacement: trace.x as number[], force: trace.y as number[] };
});

test("loads without an error, in light and dark, and every law can be chosen", async ({ page }) => {
  const wrong = await open(page);
  await page.screenshot({ path: join(out, "explorer-light.png"), fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(out, "explorer-dark.png"), fullPage: true });
  const laws = await page.locator("#law option").evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value));
  expect(laws).toEqual(run("models").map((model: any) => model.name));
  for (const law of laws) {
    const before = await settled(page);
    await page.locator("#law").selectOption(law);
    await expect.poll(() => settled(page), { message: law }).not.toBe(before);
    await expect(page.locator(".error"), law).toBeEmpty();
    expect(await value(page, "secant_stiffness"), law).toBeGreaterThan(0);
  }
  expect(wrong).toEqual([]);
});

test("moving beta moves the curve, and the numbers are those of microslip loop --json", async ({ page }) => {
  const wrong = await open(page);
  await type(page, "slip_force", "504");
  await type(page, "stiffness", "7.1e5");
  await type(page, "chi", "-0.5");
  await type(page, "amplitude", "4e-4");
  const before = await drawn(page);
  await slider(page, "beta").focus();
  for (let i = 0; i < 20; ++i) await page.keyboard.press("ArrowLeft");
  const beta = await field(page, "beta").inputValue();
  const told = run("loop", "iwan4", "slip_force=504", "stiffness=7.1e5", "chi=-0.5", `beta=${beta}`, "--amplitude", "4e-4", "--points", "100");
  await expect.poll(() => value(page, "dissipation")).toBe(told.dissipation);
  expect(await value(page, "secant_stiffness")).toBe(told.secant_stiffness);
  await expect.poll(async () => (await drawn(page)).force).toEqual(told.force);
  const after = await drawn(page);
  expect(after.displacement).toEqual(told.displacement);
  expect(after.force).not.toEqual(before.force);
  expect(wrong).toEqual([]);
});

test("while a slider moves nobody is asked; at rest the server is", async ({ page }) => {
  await open(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const before = await settled(page);
  await page.evaluate(async () => {
    const input = document.querySelector(".parameter[data-name=chi] input[type=range]") as HTMLInputElement;
    for (let i = 0; i < 30; ++i) {
      input.value = String(300 + 10 * i);
      input.dispatchEvent(new Event("input"));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
  expect(asked).toEqual([]);
  await expect.poll(() => settled(page)).not.toBe(before);
  expect(asked).toEqual(["/api/v1/curves"]);
});

test("while a slider moves the line moves with it, along the axes as they are", async ({ page }) => {
  await open(page);
  const line = () => page.locator("#figure-loop .scatterlayer .trace path.js-line").getAttribute("d");
  const before = await line();
  await page.evaluate(() => {
    const input = document.querySelector(".parameter[data-name=chi] input[type=range]") as HTMLInputElement;
    input.value = "700";
    input.dispatchEvent(new Event("input"));
  });
  await expect.poll(line).not.toBe(before);
  // What was moved by hand lies where the picture puts it when drawn anew.
  const moved = (await line())!;
  const count = await settled(page);
  await expect.poll(() => settled(page)).not.toBe(count === null ? "0" : count);
  await expect.poll(async () => (await line())!.length).toBeGreaterThan(100);
  expect(moved.startsWith("M")).toBe(true);
});

test("a value outside a law's range shows the library's line and nothing breaks", async ({ page }) => {
  const wrong = await open(page, false);
  await field(page, "chi").fill("-3");
  await field(page, "chi").press("Enter");
  await expect(page.locator(".error")).toContainText("iwan4.chi must lie in");
  await type(page, "chi", "-0.4");
  await expect(page.locator(".error")).toBeEmpty();
  await field(page, "chi").fill("a lot");
  await field(page, "chi").press("Enter");
  await expect(field(page, "chi")).toHaveAttribute("aria-invalid", "true");
  expect(wrong).toEqual([]);
});

test("bad files show the library's line; good points are drawn and compared", async ({ page }) => {
  const wrong = await open(page, false);
  const drop = page.locator(".drop input");
  await drop.setInputFiles({ name: "bad.csv", mimeType: "text/csv", buffer: Buffer.from("force,dissipation\n1,2\n3,x\n") });
  await expect(page.locator(".error")).toContainText("bad.csv:3");
  await drop.setInputFiles({ name: "other.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") });
  await expect(page.locator(".error")).toContainText("no column 'force'");
  await drop.setInputFiles({ name: "empty.csv", mimeType: "text/csv", buffer: Buffer.alloc(0) });
  await expect(page.locator(".error")).toContainText("empty.csv");

  await type(page, "slip_force", "504");
  await drop.setInputFiles({ name: "good.csv", mimeType: "text/csv", buffer: Buffer.from("force,dissipation\n100,1e-3\n200,6e-3\n400,4e-2\n") });
  await expect(page.locator(".fit")).toContainText("good.csv: 3 points");
  await expect(page.locator(".error")).toBeEmpty();
  await expect.poll(() => value(page, "residual")).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Forget data" }).click();
  await expect(page.locator("[data-key=residual]")).toHaveCount(0);
  expect(wrong).toEqual([]);
});

test("the bundled data, fitted on the page, give what microslip fit dissipation --json gives", async ({ page }) => {
  const wrong = await open(page);
  const file = join(process.env.MICROSLIP_SOURCE_DIR!, "data", "segalman", "aff1_1.csv");
  await type(page, "slip_force", "504");
  await page.locator(".drop input").setInputFiles(file);
  await expect(page.locator(".fit")).toContainText("aff1_1.csv: 5 points");
  await page.getByRole("button", { name: "Fit automatically" }).click();
  const told = run("fit", "dissipation", file, "--slip-force", "504");
  for (const name of ["slip_force", "stiffness", "chi", "beta"]) {
    await expect(page.locator(`[data-fit=${name}]`)).toHaveAttribute("data-value", String(told.parameters[name]));
    expect(Number(await field(page, name).inputValue())).toBe(told.parameters[name]);
  }
  await expect(page.locator(".error")).toBeEmpty();
  const residual = Number(await page.locator("[data-key=residual]").getAttribute("data-value"));
  expect(Math.abs(residual / told.residual - 1)).toBeLessThan(1e-6); // the curve on the page is the fit
  await expect(page.locator("#figure-dissipation .legendtext").filter({ hasText: "aff1_1.csv" })).toBeVisible();
  await page.screenshot({ path: join(out, "explorer-fit.png"), fullPage: true });
  expect(wrong).toEqual([]);
});

test("parameters leave as TOML, JSON, C++ and Python, and the loop as a report", async ({ page }) => {
  await open(page);
  await type(page, "slip_force", "504");
  const copied = async (form: string) => {
    await page.getByRole("button", { name: form, exact: true }).click();
    return (await page.locator(".copied").innerText()).trim();
  };
  expect(await copied("TOML")).toMatch(/^joint = \{ model = "iwan4", slip_force = 504\.0, stiffness = /);
  expect(JSON.parse(await copied("JSON")).parameters.slip_force).toBe(504);
  expect(await copied("C++")).toMatch(/^microslip::Iwan4<double> joint\{\}; joint\.slip_force = 504; /);
  expect(await copied("Python")).toMatch(/^joint = microslip\.Iwan4\(slip_force=504, /);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Report", exact: true }).click()]);
  expect(file.suggestedFilename()).toBe("iwan4-loop.html");
});

test("every control of the explorer is reached by the keyboard alone", async ({ page }) => {
  await open(page);
  await everyControlIsReached(page);
});

test("slider to picture: measured and reported", async ({ page }) => {
  await open(page);
  for (const law of ["iwan4", "jenkins", "bouc_wen"]) {
    await page.locator("#law").selectOption(law);
    await page.waitForTimeout(400);
    await sliderToPicture(page, law, "stiffness", 200);
  }
});
