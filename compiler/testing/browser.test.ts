import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Chromium, startChromium } from "./browser.ts";

let folder: string;
let browser: Chromium;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capc-browser-"));
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

function placed(html: string): string {
  const file = join(folder, "page.html");
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

test("what a page asks for is seen, and what it complains of", async () => {
  const { page, asked, complaints } = await browser.open(
    placed(`<!doctype html><meta http-equiv="Content-Security-Policy" content="style-src 'none'"><style>p { color: red }</style>
<img src="http://127.0.0.1:9/x.png" alt=""><script>console.error("one"); setTimeout(() => { throw new Error("two") })</script>`),
  );
  await expect.poll(() => complaints.join("\n")).toMatch(/two/);
  expect(asked).toEqual(["http://127.0.0.1:9/x.png"]);
  expect(complaints.join("\n")).toMatch(/one/);
  expect(complaints.join("\n")).toMatch(/style-src 'none'/);
  await page.close();
});

test("a quiet page asks for nothing", async () => {
  const { page, asked, complaints } = await browser.open(
    placed('<!doctype html><title>quiet</title><img alt="" src="data:,">'),
  );
  expect(await page.title()).toBe("quiet");
  expect({ asked, complaints }).toEqual({ asked: [], complaints: [] });
  await page.close();
});
