import { bug } from "../../diagnostics/index.ts";
import { collectDocs, findStrayDocs } from "../docs.ts";
import { collectFindings } from "../findings.ts";
import type { Parsed } from "../parsed.ts";
import type { ScanResult } from "../scanner.ts";
import { FileGrammar } from "./items.ts";
import { convertTokens, UnclosedString } from "./token-types.ts";

// Parses any page: each part that cannot be parsed gives a finding and is left out.

/** Parses pages one after another. The rules keep their state in this object, and each call of `read` resets the state. */
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

/** Returns the tree of a page, and findings about its syntax errors. */
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

/** Builds the grammar with all checks of Chevrotain. Throws for ambiguities and left recursion, which are defects of the grammar. */
export function validateGrammar(): void {
  const grammar = new FileGrammar({ skipValidations: false });
  if (grammar.errors.length > 0) bug("the grammar parsed nothing and has errors");
}
