import { darkTheme, lightTheme, type Theme } from "./figure/palette";
import { h } from "./dom";

// The reader's choice lasts while the page is open; without one the system's setting rules. Paper is always light.
type Choice = "system" | "light" | "dark";
const order: Choice[] = ["system", "light", "dark"];
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let choice: Choice = "system";
let printing = matchMedia("print").matches;

export const isPrinting = (): boolean => printing;

export function theme(): Theme {
  if (printing) return lightTheme;
  return (choice === "system" ? systemDark.matches : choice === "dark") ? darkTheme : lightTheme;
}

/// Calls the listener when the theme changes; what it returns ends that.
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function apply(): void {
  document.documentElement.dataset.theme = theme().dark ? "dark" : "light";
  document.documentElement.classList.toggle("printing", printing);
  for (const listener of listeners) listener();
}

export function themeButton(): HTMLButtonElement {
  const show = (element: HTMLElement) => (element.textContent = `Theme: ${choice}`);
  const element = h("button", { type: "button", id: "theme", title: "Switch between the system's setting, light and dark", click: () => {
    choice = order[(order.indexOf(choice) + 1) % order.length];
    show(element);
    apply();
  } });
  show(element);
  return element;
}

function print(now: boolean): void {
  if (now === printing) return;
  printing = now;
  apply();
}

export function followSystem(): void {
  systemDark.addEventListener("change", apply);
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
  matchMedia("print").addEventListener("change", (event) => print(event.matches));
  apply();
}
