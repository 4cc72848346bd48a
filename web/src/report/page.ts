// The report: what was found, how it looks, how it was made.

import { button, h } from "../dom";
import { FigureCard } from "../figure/card";
import type { Note, Page, Provenance, Section, Verdict } from "../figure/types";
import { themeButton } from "../theme";
import { tableElement } from "./table";

const words = { plain: "Note", good: "Good", warning: "Warning", bad: "Problem" };

const notes = (list: Note[]): HTMLElement | null =>
  list.length === 0 ? null : h("ul", { class: "notes" }, ...list.map((note) => h("li", { class: note.tone }, h("strong", {}, `${words[note.tone]}: `), note.text)));

const verdict = (entry: Verdict): HTMLElement =>
  h("div", { class: `verdict ${entry.tone}` },
    h("dt", {}, entry.label),
    h("dd", {}, h("span", { class: "value" }, entry.value), entry.unit && entry.unit !== "1" ? h("span", { class: "unit" }, ` ${entry.unit}`) : null,
      entry.note ? h("span", { class: "note" }, entry.tone === "warning" || entry.tone === "bad" ? "▲ " : "", entry.note) : null));

const anchor = (index: number): string => `section-${index + 1}`;

/// Two figures stand side by side; one that would stand alone in its row takes all of it.
function fillRows(figures: HTMLElement[]): void {
  let left = true;
  figures.forEach((figure, i) => {
    const wide = (own?: HTMLElement) => !own || own.classList.contains("wide");
    if (wide(figure)) left = true;
    else if (left && wide(figures[i + 1])) figure.classList.add("wide");
    else left = !left;
  });
}

function section(entry: Section, anchor: string, cards: Map<string, FigureCard>): HTMLElement {
  const figures = entry.figures.map((figure) => {
    const card = new FigureCard(figure, (id, step) => {
      const other = cards.get(id);
      other?.show(step);
      other?.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
    });
    cards.set(figure.id, card);
    return card.element;
  });
  fillRows(figures);
  return h("section", { id: anchor, "aria-labelledby": `${anchor}-title` },
    h("h2", { id: `${anchor}-title` }, entry.title),
    ...entry.text.split("\n").filter(Boolean).map((paragraph) => h("p", { class: "prose" }, paragraph)),
    notes(entry.notes),
    figures.length ? h("div", { class: "figures" }, ...figures) : null,
    ...entry.tables.map(tableElement));
}

function provenance(entry: Provenance): HTMLElement {
  const copy = button("copy", "Copy the command", () => void navigator.clipboard?.writeText(entry.command));
  const row = (name: string, value: string) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value));
  return h("section", { class: "provenance", id: "provenance" },
    h("h2", {}, "How this page was made"),
    entry.command ? h("div", { class: "command" }, h("pre", {}, h("code", {}, entry.command)), copy) : null,
    h("table", {}, h("tbody", {},
      row("microslip", entry.version),
      entry.seed !== undefined ? row("seed", entry.seed) : null,
      entry.seconds !== undefined ? row("time taken", `${entry.seconds.toPrecision(3)} s`) : null,
      ...entry.settings.map(([name, value]) => row(name, value)),
      ...entry.inputs.map((input) => h("tr", {}, h("th", { scope: "row" }, input.name), h("td", { class: "hash" }, input.sha256 ? `sha256 ${input.sha256}` : "a pipe, read once"))))));
}

/// What was run on what, in a line or two below the title; the details stand at the end.
function made(entry: Provenance): HTMLElement | null {
  if (!entry.command) return null;
  const inputs = entry.inputs.map((input) => input.name.replace(/^.*\//, ""));
  return h("p", { class: "made" }, h("code", {}, entry.command), inputs.length ? ` from ${inputs.join(", ")}` : "",
    entry.seed !== undefined ? `, seed ${entry.seed}` : "", " ", h("a", { href: "#provenance" }, "How this page was made"));
}

/// The same page with `prefix` before the name of every figure and table: several may stand on one page.
const named = (page: Page, prefix: string): Page => ({ ...page, sections: page.sections.map((entry) => ({ ...entry,
  figures: entry.figures.map((figure) => ({ ...figure, id: prefix + figure.id, picks: figure.picks && prefix + figure.picks })),
  tables: entry.tables.map((table) => ({ ...table, id: prefix + table.id })) })) });

/// Verdicts, notes and sections, for a page that holds more than a report; the cards are drawn by the caller.
export function reportBody(given: Page, prefix = ""): { elements: HTMLElement[]; cards: FigureCard[] } {
  const cards = new Map<string, FigureCard>();
  const page = prefix ? named(given, prefix) : given;
  const sections = page.sections.map((entry, i) => section(entry, prefix + anchor(i), cards));
  const verdicts = page.verdicts.length ? h("dl", { class: "verdicts" }, ...page.verdicts.map(verdict)) : null;
  const elements = [verdicts, notes(page.notes), ...sections].filter((element): element is HTMLElement => element !== null);
  return { elements, cards: [...cards.values()] };
}

export async function showPage(page: Page, root: HTMLElement): Promise<void> {
  const links = page.sections.map((entry, i) => h("a", { href: `#${anchor(i)}` }, entry.title));
  const { elements, cards } = reportBody(page);
  const sections = elements.filter((element) => element.tagName === "SECTION");
  root.replaceChildren(
    h("header", {},
      h("div", { class: "title" }, h("p", { class: "brand" }, `microslip ${page.provenance.version}`), h("h1", {}, page.title), page.subtitle ? h("p", { class: "subtitle" }, page.subtitle) : null, made(page.provenance)),
      h("div", { class: "buttons page-buttons" }, themeButton(), button("Print", "Print this page", () => print()))),
    ...elements.filter((element) => element.tagName !== "SECTION"),
    links.length > 2 ? h("nav", { "aria-label": "Sections" }, ...links, h("a", { href: "#provenance" }, "How this page was made")) : "",
    h("main", {}, ...sections, provenance(page.provenance)));
  const failed: unknown[] = [];  // one picture that cannot be drawn takes no other with it
  for (const card of cards) await card.draw().catch((error) => failed.push(error));
  if (failed.length) throw failed[0];
  root.dataset.ready = "true";
}
