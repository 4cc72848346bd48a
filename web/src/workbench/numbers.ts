import { h } from "../dom";
import { number } from "../report/table";

export interface Entry {
  key: string;
  label: string;
  value: number | null | undefined;
  unit: string;
}

/// The strip of numbers over the pictures. Changes texts in place: it moves with a slider.
export class NumberStrip {
  readonly element = h("dl", { class: "verdicts" });
  private keys = "";

  show(entries: Entry[]): void {
    const keys = entries.map((entry) => entry.key).join(" ");
    if (keys !== this.keys) {
      this.keys = keys;
      this.element.replaceChildren(...entries.map((entry) => h("div", { class: "verdict", "data-key": entry.key },
        h("dt", {}, entry.label), h("dd", {}, h("span", { class: "value" }, "–"), h("span", { class: "unit" }, ` ${entry.unit}`)))));
    }
    entries.forEach(({ value }, i) => {
      const own = this.element.children[i] as HTMLElement;
      const known = value !== null && value !== undefined;
      own.dataset.value = known ? String(value) : "";
      own.querySelector(".value")!.textContent = known ? number(value, 5) : "–";
    });
  }
}
