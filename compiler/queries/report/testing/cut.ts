import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const PROGRAM = readFileSync(new URL("./cut.mjs", import.meta.url), "utf8");
/**
 * Widths of pages in pixels: desktop, tablet and telephone. The last width is the minimum for which reports are made.
 */
const WIDTHS = [1400, 1200, 800, 400, 360];

/**
 * Returns the parts of drawings that are cut off, and the headers that break inside a name, each with the width of the
 * page.
 */
export async function findCutParts(page: Page): Promise<readonly string[]> {
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...((await page.evaluate(PROGRAM)) as string[]).map((words) => `${width}: ${words}`));
  }
  return found;
}
