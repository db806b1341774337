// `node compiler/dev/recording/main.ts [--write]` prints or writes the README with the recorded session.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { renderReadme } from "./recording.ts";

const README = new URL("../../../README.md", import.meta.url);

const { should } = await renderReadme(fileURLToPath(new URL("../../..", import.meta.url)));
if (process.argv.includes("--write")) writeFileSync(README, should);
else process.stdout.write(should);
