// `node compiler/dev/pictures/main.ts`: draws the pictures of the documentation and writes them.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderPictures } from "./scenes.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const FOLDER = join(CHECKOUT, "compiler/dev/docs/tutorials/pictures");

mkdirSync(FOLDER, { recursive: true });
for (const [name, svg] of await renderPictures(CHECKOUT)) {
  writeFileSync(join(FOLDER, name), svg);
  process.stdout.write(`${join(FOLDER, name)}\n`);
}
