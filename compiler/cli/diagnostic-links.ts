// Provides the pages of diagnostics as files that an editor can open. An installed package contains these pages only inside its program.
// So each page is written to a file in capc's own folder when it is first needed.

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isRefusal } from "../host/files.ts";
import { placeText } from "../host/output.ts";
import { ensureStateFolder } from "../host/state-folder.ts";
import { type DiagnosticPage, readDiagnosticPages } from "./diagnostic-pages.ts";

/** Returns a function that returns the URI of a code's page, or `undefined` if the code has no page or its page cannot be written. */
export async function createLinksToPages(): Promise<(code: string) => string | undefined> {
  const pages = new Map((await readDiagnosticPages()).map((page) => [page.code, page]));
  const links = new Map<string, string | undefined>();
  return (code) => {
    const page = pages.get(code);
    if (page !== undefined && !links.has(code)) links.set(code, linkTo(page));
    return links.get(code);
  };
}

function linkTo({ code, because, readme }: DiagnosticPage): string | undefined {
  const text = readme ?? `# ${code}\n\n${because.join("\n")}\n`;
  try {
    const folder = join(ensureStateFolder(), "pages");
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${code}.md`);
    return isThere(path, text) || placeText(path, text).ok ? pathToFileURL(path).href : undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

function isThere(path: string, text: string): boolean {
  try {
    return readFileSync(path, "utf8") === text;
  } catch {
    return false;
  }
}
