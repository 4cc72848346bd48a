import "../style.css";
import "./workbench.css";
import { h } from "../dom";
import { followSystem, themeButton } from "../theme";
import { about, Refused } from "./api";
import { beam } from "./beam";
import { explorer } from "./explorer";
import { ringdown } from "./ringdown";
import { study } from "./study";

interface Tab {
  name: string;
  title: string;
  needs?: string; // the verb of the server that it calls
  make: (verbs: string[]) => Promise<HTMLElement>;
}

const tabs: Tab[] = [
  { name: "joint", title: "Joint explorer", needs: "curves", make: explorer },
  { name: "ringdown", title: "Ring-down", needs: "ringdown", make: ringdown },
  { name: "beam", title: "Beam on friction", needs: "beam/live", make: beam },
  { name: "study", title: "Study", make: study },
];

async function start(root: HTMLElement): Promise<void> {
  const server = await about();
  const known = tabs.filter((tab) => tab.needs === undefined || server.verbs.includes(tab.needs));
  const made = new Map<string, HTMLElement>();
  const main = h("main", { id: "main" });
  const links = known.map((tab) => h("a", { href: `#${tab.name}` }, tab.title));
  const show = async () => {
    const tab = known.find((entry) => `#${entry.name}` === location.hash) ?? known[0];
    known.forEach((entry, i) => (entry === tab ? links[i].setAttribute("aria-current", "page") : links[i].removeAttribute("aria-current")));
    document.title = `${tab.title} – microslip`;
    if (!made.has(tab.name)) made.set(tab.name, await tab.make(server.verbs));
    main.replaceChildren(made.get(tab.name)!);
    dispatchEvent(new Event("resize")); // pictures made while hidden take their width
    root.dataset.ready = tab.name;
  };
  root.replaceChildren(
    h("header", { class: "bench" },
      h("p", { class: "brand" }, "microslip ", h("span", {}, server.microslip)),
      h("nav", { "aria-label": "Pages" }, ...links), themeButton()),
    main);
  addEventListener("hashchange", () => void show());
  await show();
}

followSystem();
const root = document.getElementById("page")!;
root.classList.add("bench-page");
start(root).catch((error: unknown) => root.replaceChildren(h("p", { class: "error", role: "alert" }, error instanceof Refused ? error.message : `The workbench did not start: ${error}`)));
