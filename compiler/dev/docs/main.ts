// `make docs` builds the site below build/docs/site, from the pages of the checkout. It fails if a link is dead, as
// `make test` does.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { collectPages, TUTORIALS } from "./collect.ts";
import { linkPages } from "./links.ts";
import { createMenu } from "./menu.ts";
import { linkTerms } from "./terms.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const BUILT = join(CHECKOUT, "build/docs");
const SOURCES = join(BUILT, "pages");

const { pages: linked, dead } = linkPages(CHECKOUT, await collectPages(CHECKOUT));
const pages = linkTerms(linked);
for (const { page, target, reason } of dead) process.stderr.write(`${page}: ${target}: ${reason}\n`);

rmSync(SOURCES, { recursive: true, force: true });
for (const { path, text } of pages) {
  const file = join(SOURCES, `${path}.md`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
cpSync(join(CHECKOUT, TUTORIALS, "pictures"), join(SOURCES, "tutorials/pictures"), { recursive: true });
mkdirSync(join(SOURCES, ".vitepress"));
writeFileSync(join(SOURCES, ".vitepress/menu.json"), JSON.stringify(createMenu(pages)));
const config = fileURLToPath(new URL("vitepress.config.mjs", import.meta.url));
writeFileSync(join(SOURCES, ".vitepress/config.mjs"), `export { default } from ${JSON.stringify(config)};\n`);

const vitepress = join(BUILT, "node_modules/vitepress/bin/vitepress.js");
const out = ["--outDir", join(BUILT, "site")];
const { status } = spawnSync(process.execPath, [vitepress, "build", SOURCES, ...out], { stdio: "inherit", cwd: BUILT });
const failed = dead.length + (status === 0 ? 0 : 1);
process.stdout.write(`the site lies in build/docs/site\n${pages.length} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
