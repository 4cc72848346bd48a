import { h } from "../dom";

/// A place to drop a file on, which is also a button that opens the file dialog.
export function dropZone(text: string, accept: string, take: (files: File[]) => void): HTMLElement {
  const input = h("input", { type: "file", accept, multiple: true, "aria-label": text, change: () => {
    if (input.files?.length) take([...input.files]);
    input.value = "";
  } });
  const zone = h("label", { class: "drop" }, input, h("span", {}, text));
  const over = (on: boolean) => (event: Event) => {
    event.preventDefault();
    zone.classList.toggle("over", on);
  };
  zone.addEventListener("dragover", over(true));
  zone.addEventListener("dragleave", over(false));
  zone.addEventListener("drop", (event) => {
    over(false)(event);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length) take(files);
  });
  return zone;
}
