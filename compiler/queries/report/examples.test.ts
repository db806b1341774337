// Tests the reports of all examples in a browser, for `make test-images`.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleSubject } from "../../cli/report/testing/subjects.ts";
import { type Chromium, startChromium } from "../../dev/fixtures/browser.ts";
import { listExampleNames } from "../../dev/golden/golden.ts";
import { reportPage } from "./index.ts";
import { findCutParts } from "./testing/cut.ts";

let folder: string;
let browser: Chromium;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capc-reports-"));
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

test.each(listExampleNames())(
  "no drawing of the report on %s is cut, and no header breaks inside a name",
  async (example) => {
    const file = join(folder, `${example}.html`);
    writeFileSync(file, reportPage(await exampleSubject(example)));
    const { page } = await browser.open(pathToFileURL(file).href);
    expect(await findCutParts(page)).toEqual([]);
    await page.context().close();
  },
);
