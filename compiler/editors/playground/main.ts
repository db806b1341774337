// Writes build/playground.html, for `make playground`.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderPlayground } from "./html.ts";

const BUILT = fileURLToPath(new URL("../../../build/", import.meta.url));
const FILE = join(BUILT, "playground.html");

mkdirSync(BUILT, { recursive: true });
writeFileSync(FILE, await renderPlayground());
process.stdout.write(`${FILE}\n`);
