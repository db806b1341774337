// `npm run generate`: brings the generated folders up to date.

import { rmSync, writeFileSync } from "node:fs";
import { generateFolder, generateStandard, readCheckedIn, SCHEMA_FOLDERS, STANDARD_MODULE } from "./generated.ts";

for (const folder of SCHEMA_FOLDERS) {
  const files = await generateFolder(folder);
  if (typeof files === "string") {
    console.error(files);
    process.exit(1);
  }
  for (const name of readCheckedIn(folder).keys()) if (!files.has(name)) rmSync(new URL(name, folder.generated));
  for (const [name, bytes] of files) writeFileSync(new URL(name, folder.generated), bytes);
  console.log(`written: ${[...files.keys()].join(", ")}`);
}

writeFileSync(STANDARD_MODULE, generateStandard());
console.log("written: the interfaces of the standard library");
