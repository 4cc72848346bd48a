// The report of every verb that draws one, made by the command and opened from disk.

import { expect, test } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { program } from "./server";
import { wrongOn } from "./steps";

const source = process.env.MICROSLIP_SOURCE_DIR!;
const out = join(process.env.MICROSLIP_BROWSER_OUT!, "verbs");
const data = (...parts: string[]) => join(source, "data", ...parts);
const example = (name: string) => join(source, "examples", name);
const made = (name: string) => join(out, name);
const iwan = ["iwan4", "slip_force=504", "stiffness=7.1e5", "chi=-0.5", "beta=1"];
const twoBeam = { record: data("two-beam", "level-4.h5"), shapes: data("two-beam", "shapes.json") };

interface Verb {
  name: string;
  words: string[];
  inputs: string[];
  seed?: string;
}
const verbs: Verb[] = [
  { name: "loop", words: ["loop", ...iwan, "--amplitude", "4e-4"], inputs: [] },
  { name: "curves", words: ["curves", ...iwan, "--from", "1e-6", "--to", "1.2e-3"], inputs: [] },
  { name: "fit-dissipation", words: ["fit", "dissipation", data("segalman", "aff1_1.csv"), "--slip-force", "504"], inputs: [data("segalman", "aff1_1.csv")] },
  { name: "ringdown", words: ["ringdown", twoBeam.record, "--mode", "120", "--shapes", twoBeam.shapes, "-o", made("ringdown.json")], inputs: [twoBeam.record, twoBeam.shapes] },
  { name: "zefft", words: ["zefft", twoBeam.record, "--times", "0.05,0.3,1"], inputs: [twoBeam.record] },
  { name: "fit-modal", words: ["fit", "modal", made("ringdown.json"), "-o", made("model.json")], inputs: [made("ringdown.json")], seed: "1" },
  { name: "predict", words: ["predict", made("model.json"), twoBeam.record, "--hit", "p25"], inputs: [made("model.json"), twoBeam.record] },
  { name: "respond", words: ["respond", made("model.json"), "--force", "0.5"], inputs: [made("model.json")] },
  { name: "simulate", words: ["simulate", example("hit.toml")], inputs: [example("hit.toml")] },
  { name: "beam", words: ["beam", example("asadi.toml")], inputs: [example("asadi.toml")] },
  { name: "backbone", words: ["backbone", example("brb-whole-joint.toml"), "--amplitudes", "1e-7:3e-5:8"], inputs: [example("brb-whole-joint.toml"), data("brb", "brb-whole-joint.h5")] },
  { name: "study", words: ["study", made("study.toml")], inputs: [made("study.toml"), data("brb", "truth-1.csv"), data("brb", "truth-2.csv"), data("brb", "brb-whole-joint.h5")], seed: "3" },
];
const study = `
[structure]
file = "${data("brb", "brb-whole-joint.h5")}"
preload = 12845.0
[measured]
mode = { 1 = "${data("brb", "truth-1.csv")}", 3 = "${data("brb", "truth-2.csv")}" }
fit = [1]
predict = [3]
[budget]
seed = 3
members = 12
generations = 6
[[combination]]
name = "4-Parameter Iwan (WJ, Masing)"
model = "iwan4"
framework = "masing"
viscous = true
method = "nsga2"
[[combination]]
name = "Jenkins (WJ, Masing)"
model = "jenkins"
framework = "masing"
viscous = true
method = "nsga2"
`;

test.beforeAll(() => {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  writeFileSync(made("study.toml"), study);
});

for (const verb of verbs)
  test(`${verb.name}: the report is complete, silent and small, and every axis has its unit`, async ({ page }) => {
    const file = made(`${verb.name}.html`), figures = made(`${verb.name}-svg`);
    execFileSync(program, [...verb.words, "--report", file, "--svg", figures], { cwd: out, stdio: ["ignore", "ignore", "pipe"] });
    expect(statSync(file).size).toBeLessThan(3_000_000);

    const wrong = wrongOn(page);
    page.on("request", (request) => !/^(file|data|blob):/.test(request.url()) && wrong.push(`request: ${request.url()}`));
    await page.goto(`file://${file}`);
    await expect(page.locator("#page")).toHaveAttribute("data-ready", "true", { timeout: 60_000 });
    const content: any = await page.evaluate(() => JSON.parse(document.getElementById("data")!.textContent!));
    const drawn = content.sections.flatMap((section: any) => section.figures);
    expect(drawn.length).toBeGreaterThan(0);
    for (const figure of drawn) {
      for (const axis of [figure.x, ...figure.y]) expect(axis.unit || axis.categories.length, `${figure.id}: ${axis.title}`).toBeTruthy();
      expect(figure.traces.some((trace: any) => trace.x.length > 0), `${figure.id} is empty`).toBe(true);
    }
    // Nothing that is drawn leaves its card.
    const over = await page.locator("figure.figure").evaluateAll((all) => all.filter((own) => own.scrollWidth > own.clientWidth + 1).map((own) => own.id));
    expect(over).toEqual([]);

    // How it was made: the bytes it came from, as sha256sum counts them.
    const { provenance } = content;
    expect(provenance.version).not.toBe("");
    expect(provenance.command).toContain(verb.words[0]);
    expect(provenance.seed).toBe(verb.seed);
    expect(provenance.inputs.map((input: any) => basename(input.name)).sort()).toEqual(verb.inputs.map((name) => basename(name)).sort());
    for (const name of verb.inputs)
      expect(provenance.inputs.find((input: any) => basename(input.name) === basename(name)).sha256).toBe(createHash("sha256").update(readFileSync(name)).digest("hex"));
    await expect(page.locator("header")).toContainText(`microslip ${provenance.version}`);

    // One picture per figure for papers.
    expect(readdirSync(figures).sort()).toEqual(drawn.map((figure: any) => `${figure.id}.svg`).sort());

    await page.screenshot({ path: made(`${verb.name}-light.png`), fullPage: true });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.screenshot({ path: made(`${verb.name}-dark.png`), fullPage: true });
    await page.pdf({ path: made(`${verb.name}.pdf`), format: "A4", preferCSSPageSize: true });
    expect(wrong).toEqual([]);
  });
