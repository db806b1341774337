// `node compiler/dev/third-party/main.ts [--write]` prints or writes THIRD-PARTY.md, the page about third-party parts.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { renderThirdParty } from "./page.ts";

const page = renderThirdParty(fileURLToPath(new URL("../../..", import.meta.url)));
if (process.argv.includes("--write")) writeFileSync(new URL("../../../THIRD-PARTY.md", import.meta.url), page);
else process.stdout.write(page);
