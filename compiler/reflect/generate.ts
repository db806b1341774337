// `npm run generate`: brings engine/wire/generated up to date.

import { rmSync, writeFileSync } from "node:fs";
import { checkedIn, GENERATED, generated } from "./generated.ts";

const files = await generated();
if (typeof files === "string") {
  console.error(files);
  process.exitCode = 1;
} else {
  for (const name of checkedIn().keys()) if (!files.has(name)) rmSync(new URL(name, GENERATED));
  for (const [name, bytes] of files) writeFileSync(new URL(name, GENERATED), bytes);
  console.log(`engine/wire/generated: ${[...files.keys()].join(", ")}`);
}
