// What the pages' tests share.

import { expect, type Page } from "@playwright/test";

/// Everything that goes wrong on the page from now on; `console: false` where a refused request is part of the test.
export function wrongOn(page: Page, console = true): string[] {
  const wrong: string[] = [];
  page.on("console", (message) => console && message.type() === "error" && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  return wrong;
}

/// Tab comes by every control that can be seen.
export async function everyControlIsReached(page: Page): Promise<void> {
  const wanted = await page.locator("button:enabled, a[href], input:enabled, select, summary, [tabindex='0']").evaluateAll((all) => all.filter((e) => e.checkVisibility()).length);
  expect(wanted).toBeGreaterThan(5);
  const reached = new Set<number>();
  for (let i = 0; i < wanted + 5; ++i) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => [...document.querySelectorAll("*")].indexOf(document.activeElement!)));
  }
  expect(reached.size).toBeGreaterThanOrEqual(wanted);
}

/// From a slider's event to the moved curves, one move per frame, the first left out: they warm the scripts up. How long
/// it takes is printed, not asserted.
export async function sliderToPicture(page: Page, what: string, parameter: string, moves: number): Promise<void> {
  const times = await page.evaluate(async ([name, count]) => {
    const input = document.querySelector(`.parameter[data-name=${name}] input[type=range]`) as HTMLInputElement;
    for (let i = 0; i < count + 30; ++i) {
      if (i === 30) performance.clearMeasures();
      input.value = String(400 + (i % 100));
      input.dispatchEvent(new Event("input"));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    return performance.getEntriesByName("slider-to-picture").map((entry) => entry.duration);
  }, [parameter, moves] as const);
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(part * (times.length - 1))].toFixed(1);
  console.log(`slider to picture, ${what}: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, largest ${at(1)} ms over ${times.length} moves`);
  expect(times.length).toBeGreaterThan(3);
}
