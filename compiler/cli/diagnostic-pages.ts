// Reads the pages of all diagnostics. Codes are defined in files named codes.ts, beside the code that reports them. The
// README and the examples of a law are in its folder; those of all other codes are in compiler/rules/pages. There is no
// separate list of the codes.

import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface DiagnosticPage {
  readonly code: string;
  /** Folder with the README and the examples of this finding's code, relative to the checkout; it need not exist. */
  readonly folder: string;
  readonly severity: string;
  /** Reasons for the rule that reports the code; several if several files `codes.ts` define the code. */
  readonly because: readonly string[];
  /** Explanation in Markdown. */
  readonly readme?: string;
  /** Example pages (`.cap`) that cause the finding, and one page that does not. */
  readonly examples: readonly { readonly name: string; readonly text: string }[];
}

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the pages in code-unit order of the codes. */
export async function readDiagnosticPages(): Promise<readonly DiagnosticPage[]> {
  const files = globSync("{lang,compiler}/**/codes.ts", { cwd: CHECKOUT }).sort();
  const pages = await Promise.all(files.map((file) => readPages(join(CHECKOUT, file))));
  const byCode = new Map<string, DiagnosticPage>();
  for (const page of pages.flat()) {
    const before = byCode.get(page.code);
    byCode.set(
      page.code,
      before === undefined ? page : { ...before, because: combineUnique(before.because, page.because) },
    );
  }
  return [...byCode.values()].sort((left, right) => (left.code < right.code ? -1 : 1));
}

const combineUnique = (left: readonly string[], right: readonly string[]): string[] => [
  ...new Set([...left, ...right]),
];

async function readPages(file: string): Promise<DiagnosticPage[]> {
  const defined: Record<string, unknown> = await import(pathToFileURL(file).href);
  return Object.values(defined)
    .filter(isKind)
    .map(({ code, severity, because }) => {
      const folder = file.includes("/rules/") ? dirname(file) : join(CHECKOUT, "compiler/rules/pages", code);
      const readme = join(folder, "README.md");
      return {
        code,
        folder: relative(CHECKOUT, folder),
        severity,
        because: [because],
        ...(existsSync(readme) ? { readme: readFileSync(readme, "utf8") } : {}),
        examples: readExamples(folder),
      };
    });
}

function readExamples(folder: string): { name: string; text: string }[] {
  return globSync("{bad,good}*.cap", { cwd: folder })
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}

function isKind(value: unknown): value is { code: string; severity: string; because: string } {
  return value !== null && typeof value === "object" && "code" in value && "severity" in value && "because" in value;
}
