import { bug } from "../../diagnostics/index.ts";
import { collectDocs, findStrayDocs } from "../docs.ts";
import { collectFindings } from "../findings.ts";
import type { Parsed } from "../parsed.ts";
import type { ScanResult } from "../scanner.ts";
import { FileGrammar } from "./items.ts";
import { convertTokens, UnclosedString } from "./token-types.ts";

// Reads any page, whatever its errors: what cannot be read is a finding and a gap.

/** Reads one page after another: the rules keep their state in it, and nothing of that outlives a call. */
class FileReader extends FileGrammar {
  read(scanned: ScanResult): Parsed {
    this.input = convertTokens(scanned);
    this.source = scanned.source;
    this.found = [];
    this.unclosed = this.input.filter(({ tokenType }) => tokenType === UnclosedString);
    this.docs = collectDocs(scanned);
    this.usedDocs = new Set();
    this.lost = new Set();
    this.items = [];
    try {
      this.file();
    } catch (error) {
      if (!FileGrammar.isLimit(error)) throw error;
      this.found.push(this.limitReached());
    }
    const { source, items, lost, found } = this;
    return { tree: { source, items, strayDocs: findStrayDocs(scanned, this.usedDocs), lost }, diagnostics: found };
  }
}

let reader: FileReader | undefined;

/** The tree of a page, and everything that is wrong with it. */
export function readRecovering(scanned: ScanResult): Parsed {
  const { source, tooDeep } = scanned;
  const findings = collectFindings(scanned);
  if (tooDeep !== undefined) {
    return { tree: { source, items: [], strayDocs: [], lost: new Set() }, diagnostics: findings };
  }
  reader ??= new FileReader({ skipValidations: true });
  const { tree, diagnostics } = reader.read(scanned);
  return { tree, diagnostics: [...findings, ...diagnostics] };
}

/** Builds the grammar with every check of Chevrotain on: ambiguities and left recursion are our defects. */
export function validateGrammar(): void {
  const grammar = new FileGrammar({ skipValidations: false });
  if (grammar.errors.length > 0) bug("the grammar parsed nothing and has errors");
}
