import { readFileSync } from "node:fs";

// Parses the written grammar (lang/spec/grammar.ebnf), so that sentences can be made from the form that people read.

/** A part of a rule. `words` are literal; `rule` names a rule or one of the terminals ID, NUM and STR. */
export type Part =
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "rule"; readonly name: string }
  | { readonly kind: "sequence"; readonly parts: readonly Part[] }
  | { readonly kind: "choice"; readonly parts: readonly Part[] }
  | { readonly kind: "optional" | "repeated"; readonly part: Part };

export type WrittenGrammar = ReadonlyMap<string, Part>;

/** Returns the grammar of the specification. */
export function writtenGrammar(): WrittenGrammar {
  return grammarOf(readFileSync(new URL("../spec/grammar.ebnf", import.meta.url), "utf8"));
}

function grammarOf(text: string): WrittenGrammar {
  const tokens = text.replace(/\(\*[\s\S]*?\*\)/g, "").match(/"[^"]*"|\w+|[=;|{}[\]()]/g) ?? [];
  const reader = new Reader(tokens);
  return new Map(reader.rules());
}

class Reader {
  private readonly tokens: readonly string[];
  private index = 0;

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  rules(): [string, Part][] {
    const rules: [string, Part][] = [];
    while (this.index < this.tokens.length) {
      const name = this.next();
      this.take("=");
      rules.push([name, this.choice()]);
      this.take(";");
    }
    return rules;
  }

  private choice(): Part {
    const parts = [this.sequence()];
    while (this.tokens[this.index] === "|") {
      this.index++;
      parts.push(this.sequence());
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "choice", parts };
  }

  private sequence(): Part {
    const parts: Part[] = [];
    while (!["|", ";", "}", "]", ")", undefined].includes(this.tokens[this.index])) parts.push(this.part());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "sequence", parts };
  }

  private part(): Part {
    const token = this.next();
    if (token === "{") return { kind: "repeated", part: this.closed("}") };
    if (token === "[") return { kind: "optional", part: this.closed("]") };
    if (token === "(") return this.closed(")");
    return token.startsWith('"') ? { kind: "word", text: token.slice(1, -1) } : { kind: "rule", name: token };
  }

  private closed(end: string): Part {
    const part = this.choice();
    this.take(end);
    return part;
  }

  private next(): string {
    return this.tokens[this.index++] ?? "";
  }

  private take(token: string): void {
    const found = this.next();
    if (found !== token) throw new Error(`the written grammar has \`${found}\` where \`${token}\` should stand`);
  }
}
