import { writeFileSync } from "node:fs";
import { renderTextMateFile } from "./textmate.ts";

// Writes the grammar for editors: `npm run generate`.
writeFileSync(new URL("cap.tmLanguage.json", import.meta.url), renderTextMateFile());
