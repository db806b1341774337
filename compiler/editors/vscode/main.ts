// Writes build/capc-VERSION.vsix, for `make vscode`.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DESCRIPTION, packExtension } from "./pack.ts";

const build = fileURLToPath(new URL("../../../build", import.meta.url));
mkdirSync(build, { recursive: true });
const file = join(build, `${DESCRIPTION.name}-${DESCRIPTION.version}.vsix`);
writeFileSync(file, await packExtension());
process.stdout.write(`${file}\n`);
