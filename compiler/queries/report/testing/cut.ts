import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const PROGRAM = readFileSync(new URL("./cut.mjs", import.meta.url), "utf8");
/** Widths of a desktop, a tablet and a telephone in pixels; and as narrow as a page may be for its readers. */
const WIDTHS = [1400, 1200, 800, 400, 360];

/** Returns parts of drawings that are cut, and headers that break inside a name, each with its width of the page. */
export async function findCutParts(page: Page): Promise<readonly string[]> {
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...((await page.evaluate(PROGRAM)) as string[]).map((words) => `${width}: ${words}`));
  }
  return found;
}
