import { csv, type Field } from "../csv";
import { button, download, h } from "../dom";
import type { Cell, Content, Table, Tone } from "../figure/types";

const content = (cell: Cell): Content => (cell !== null && typeof cell === "object" ? cell.value : cell);
const toneOf = (cell: Cell): Tone => (cell !== null && typeof cell === "object" ? cell.tone : "plain");

/// `digits` significant digits without idle zeros; an exponent only where the number would be long.
export function number(value: number, digits: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-3)) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return `${Number(mantissa)}e${Number(exponent)}`;
  }
  return String(Number(value.toPrecision(digits)));
}

/// Numbers of like size share their number of decimals, so that they stand under one another.
function decimals(values: number[], digits: number): number | undefined {
  const sizes = values.filter((value) => value !== 0).map(Math.abs);
  const most = Math.max(...sizes), least = Math.min(...sizes);
  if (values.length < 2 || !(most < 1e6 && least >= 1e-3 && most / least < 1e3)) return undefined;
  const needed = values.map((value) => (number(value, digits).split(".")[1] ?? "").length);
  return Math.min(Math.max(...needed), Math.max(0, digits - 1 - Math.floor(Math.log10(most))));
}

function compare(a: Content, b: Content): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1; // unknown values go last
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

export function tableElement(table: Table): HTMLElement {
  const rows = table.rows.map((row, index) => ({ row, index }));
  const body = h("tbody");
  const numeric = table.columns.map((_, i) => table.rows.some((row) => typeof content(row[i]) === "number"));
  const places = table.columns.map((column, i) => decimals(table.rows.map((row) => content(row[i])).filter((v): v is number => typeof v === "number"), column.digits));
  const shown = (value: number, i: number) => (places[i] === undefined ? number(value, table.columns[i].digits) : value.toFixed(places[i]));
  let sorted = -1, ascending = true;

  const cell = (entry: Cell, i: number): HTMLElement => {
    const value = content(entry), tone = toneOf(entry);
    const text = value === null ? "–" : typeof value === "number" ? shown(value, i) : value;
    return h("td", { class: `${numeric[i] ? "number" : "text"} ${tone}`, title: typeof value === "number" ? String(value) : undefined },
      tone === "bad" || tone === "warning" ? h("span", { class: "sign", "aria-hidden": "true" }, "▲ ") : null, text);
  };
  const fill = () => body.replaceChildren(...rows.map(({ row }) => h("tr", {}, ...row.map(cell))));

  const heads = table.columns.map((column, i) => {
    const arrow = h("span", { class: "arrow", "aria-hidden": "true" });
    const head = h("th", { scope: "col", class: numeric[i] ? "number" : "text" },
      h("button", { type: "button", title: `Sort by ${column.title}`, click: () => {
        ascending = sorted === i ? !ascending : true;
        sorted = i;
        rows.sort((a, b) => {
          const u = content(a.row[i]), v = content(b.row[i]);
          const order = compare(u, v);
          return (ascending || u === null || v === null ? order : -order) || a.index - b.index;
        });
        heads.forEach((other, j) => {
          other.setAttribute("aria-sort", j === i ? (ascending ? "ascending" : "descending") : "none");
          other.querySelector(".arrow")!.textContent = j === i ? (ascending ? " ↑" : " ↓") : "";
        });
        fill();
      } }, column.title, column.unit ? h("span", { class: "unit" }, ` [${column.unit === "1" ? "–" : column.unit}]`) : null, arrow));
    return head;
  });
  fill();

  const save = () => {
    const head: Field[] = table.columns.map((column) => (column.unit ? `${column.title} [${column.unit}]` : column.title));
    download(`${table.id || "table"}.csv`, "text/csv", csv([head, ...rows.map(({ row }) => row.map(content))]));
  };
  return h("div", { class: "table", id: table.id ? `table-${table.id}` : undefined },
    h("div", { class: "figure-head" }, h("h3", {}, table.title), h("div", { class: "buttons" }, button("CSV", "Save this table as CSV", save))),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": table.title }, h("table", {}, h("thead", {}, h("tr", {}, ...heads)), body)),
    table.caption ? h("p", { class: "caption" }, table.caption) : null);
}
