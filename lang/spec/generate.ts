import { writeFileSync } from "node:fs";
import { renderTextMateFile } from "./textmate.ts";
import { renderWordsPage } from "./words-page.ts";

// Writes the grammar for editors and the index of words: `npm run generate`.
writeFileSync(new URL("cap.tmLanguage.json", import.meta.url), renderTextMateFile());
writeFileSync(new URL("words.md", import.meta.url), renderWordsPage());
