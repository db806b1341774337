import type { IToken } from "chevrotain";
import { bug, type Diagnostic } from "../diagnostics/index.ts";
import type { SourceText, Span } from "../text/index.ts";
import type { FileTree } from "../tree/index.ts";
import { FileGrammar } from "./items.ts";
import { type Lexed, lex, spanOf } from "./lexer.ts";

// Text to tree. Knows no names, no disk and no policy. Every source gives a tree, however broken: what cannot be read
// is a finding and a gap.

export interface Parsed {
  readonly tree: FileTree;
  readonly diagnostics: readonly Diagnostic[];
}

/** One reads, after another: the rules keep their state in it, and nothing of that outlives a call. */
class FileReader extends FileGrammar {
  read(source: SourceText, lexed: Lexed): Parsed {
    this.input = [...lexed.tokens];
    this.source = source;
    this.found = [];
    this.docs = docsByOffset(lexed);
    this.usedDocs = new Set();
    this.lost = new Set();
    this.items = [];
    try {
      this.file();
    } catch (error) {
      if (!FileGrammar.isLimit(error)) throw error;
      this.found.push(this.limitReached());
    }
    const strayDocs = this.strayDocs(source, lexed.docs);
    return {
      tree: { source, items: this.items, strayDocs, lost: this.lost },
      diagnostics: [...lexed.diagnostics, ...this.found],
    };
  }

  /** Doc lines belong to the token that follows them; a line whose token took none is stray. */
  private strayDocs(source: SourceText, docs: readonly IToken[]): Span[] {
    const taken = new Set(this.usedDocs);
    const starts = [...this.docs.keys()].sort((left, right) => left - right);
    let next = 0;
    return docs.flatMap((doc) => {
      while (next < starts.length && (starts[next] ?? 0) < doc.startOffset) next++;
      const owner = starts[next];
      return owner !== undefined && taken.has(owner) ? [] : [spanOf(source, doc)];
    });
  }
}

/** Joins the doc lines before each token, without their slashes. */
function docsByOffset(lexed: Lexed): Map<number, string> {
  const docs = new Map<number, string>();
  let token = 0;
  for (const doc of lexed.docs) {
    while (token < lexed.tokens.length && (lexed.tokens[token]?.startOffset ?? 0) < doc.startOffset) token++;
    const owner = lexed.tokens[token];
    if (owner === undefined) break;
    const line = doc.image.slice(3).trim();
    const before = docs.get(owner.startOffset);
    docs.set(owner.startOffset, before === undefined ? line : `${before}\n${line}`);
  }
  return docs;
}

let reader: FileReader | undefined;

/** Reads a bounded source into a tree. Never throws on any text. */
export function parse(source: SourceText): Parsed {
  const lexed = lex(source);
  const nothing: FileTree = { source, items: [], strayDocs: [], lost: new Set() };
  if (!lexed.parsable) return { tree: nothing, diagnostics: lexed.diagnostics };
  reader ??= new FileReader({ skipValidations: true });
  return reader.read(source, lexed);
}

/** Builds the grammar with every check of Chevrotain on: ambiguities and left recursion are our defects. */
export function validateGrammar(): void {
  const grammar = new FileGrammar({ skipValidations: false });
  if (grammar.errors.length > 0) bug("the grammar parsed nothing and has errors");
}
