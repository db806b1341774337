// `npm run generate`: brings the generated folders up to date.

import { rmSync, writeFileSync } from "node:fs";
import { generateFolder, generateStandard, readCheckedIn, SCHEMA_FOLDERS, STANDARD_MODULE } from "./generated.ts";

for (const folder of SCHEMA_FOLDERS) {
  const files = await generateFolder(folder);
  if (!files.ok) {
    console.error(files.reason);
    process.exit(1);
  }
  for (const name of readCheckedIn(folder).keys()) if (!files.value.has(name)) rmSync(new URL(name, folder.generated));
  for (const [name, bytes] of files.value) writeFileSync(new URL(name, folder.generated), bytes);
  console.log(`written: ${[...files.value.keys()].join(", ")}`);
}

writeFileSync(STANDARD_MODULE, generateStandard());
console.log("written: the interfaces of the standard library");
