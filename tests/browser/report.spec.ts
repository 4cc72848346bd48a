import { expect, test, type Page } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const out = process.env.MICROSLIP_BROWSER_OUT!;
const gallery = join(out, "gallery", "gallery.html");

test.beforeAll(() => {
  mkdirSync(join(out, "gallery"), { recursive: true });
  execFileSync(join(process.env.MICROSLIP_BIN!, "report_gallery"), [join(out, "gallery")]);
});

/// Opens the report from disk; fails on any console error, exception or attempt to use the network.
async function open(page: Page): Promise<string[]> {
  const wrong: string[] = [];
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
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
  await expect(page.locator("figure.figure")).toHaveCount(7);
  await expect(page.locator("h1")).toHaveText("Gallery of figures <b>&</b> notes");
  await page.screenshot({ path: join(out, "gallery-light.png"), fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.screenshot({ path: join(out, "gallery-dark.png"), fullPage: true });
  await page.pdf({ path: join(out, "gallery.pdf"), format: "A4", preferCSSPageSize: true });
  expect(wrong).toEqual([]);
});
