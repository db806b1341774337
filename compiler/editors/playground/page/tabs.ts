// Shows the files of the project as tabs: arrows, Home and End move between the tabs, and the chosen file is in the
// editor.

import { made } from "./elements.ts";

export function drawTabs(
  strip: HTMLElement,
  files: readonly string[],
  shown: string,
  open: (file: string) => void,
): void {
  const isFocused = strip.contains(document.activeElement);
  const tabs = files.map((file) => {
    const isShown = file === shown;
    const attributes = { type: "button", role: "tab", "aria-selected": String(isShown), "aria-controls": "editor" };
    const tab = made("button", file, { ...attributes, tabindex: isShown ? "0" : "-1" });
    tab.addEventListener("click", () => open(file));
    return tab;
  });
  strip.replaceChildren(...tabs);
  const current = tabs[files.indexOf(shown)];
  if (isFocused) current?.focus();
  current?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

export function walkTabs(strip: HTMLElement): void {
  strip.addEventListener("keydown", (event) => {
    const tabs = [...strip.querySelectorAll("button")];
    const at = event.target instanceof HTMLButtonElement ? tabs.indexOf(event.target) : -1;
    const last = tabs.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: at === 0 ? last : at - 1,
      ArrowRight: at === last ? 0 : at + 1,
      Home: 0,
      End: last,
    };
    const next = targets[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    tabs[next]?.focus();
    tabs[next]?.click();
  });
}
