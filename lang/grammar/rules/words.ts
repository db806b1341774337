import type { IToken } from "chevrotain";
import { bug } from "../../diagnostics/index.ts";
import { span } from "../../text/index.ts";
import type { LabelNode, Mode, ModeNode, Name, Numeral, Quantity, Reference, Words } from "../../tree/index.ts";
import { decimalOf, textOf } from "../literals.ts";
import { BlockGrammar } from "./blocks.ts";
import type { Rule } from "./reading.ts";
import {
  CloseBrace,
  Colon,
  Comma,
  Dot,
  Identifier,
  NumberLiteral,
  OpenBrace,
  Range,
  Slash,
  StringLiteral,
  word,
} from "./token-types.ts";

/** Names, literals, labels and modes. */
export class WordGrammar extends BlockGrammar {
  name: Rule<Name> = this.rule("name", () => this.nameOf(this.CONSUME(Identifier)));

  reference: Rule<Reference> = this.rule("reference", () => {
    const parts = [this.SUBRULE(this.name)];
    this.MANY(() => {
      this.CONSUME(Dot);
      parts.push(this.SUBRULE(this.member));
    });
    return this.ACTION(() => this.joined(parts));
  });

  /** Behind a dot and for arguments a reserved word may be quoted. */
  member: Rule<Name> = this.rule("member", () =>
    this.oneOf([
      { ALT: () => this.SUBRULE(this.name) },
      {
        ALT: () => {
          const { value, span } = this.SUBRULE(this.words);
          return { text: value, span };
        },
      },
    ]),
  );

  words: Rule<Words> = this.rule("words", () => {
    const token = this.CONSUME(StringLiteral);
    return this.ACTION(() => {
      const at = this.spanOf(token);
      return { value: textOf(token.image, at, (diagnostic) => this.found.push(diagnostic)), span: at };
    });
  });

  numeral: Rule<Numeral> = this.rule("numeral", () => {
    const token = this.CONSUME(NumberLiteral);
    return this.ACTION(() => ({ decimal: decimalOf(token.image), span: this.spanOf(token) }));
  });

  quantity: Rule<Quantity> = this.rule("quantity", () => {
    const start = this.start();
    const amount = this.SUBRULE(this.numeral);
    const unit = this.SUBRULE(this.name);
    return { amount, unit, span: this.since(start) };
  });

  names: Rule<Name[]> = this.rule("names", () => {
    const names: Name[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => names.push(this.SUBRULE(this.name)) });
    return names;
  });

  texts: Rule<Words[]> = this.rule("texts", () => {
    const texts: Words[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => texts.push(this.SUBRULE(this.words)) });
    return texts;
  });

  truth: Rule<boolean> = this.rule("truth", () =>
    this.oneOf([
      { ALT: () => this.CONSUME(word("true")) !== undefined },
      { ALT: () => this.CONSUME(word("false")) === undefined },
    ]),
  );

  label: Rule<LabelNode> = this.rule("label", () => {
    const start = this.start();
    const level = this.SUBRULE(this.name);
    const compartments = this.OPTION(() => {
      this.CONSUME(Colon);
      this.CONSUME(OpenBrace);
      const names = this.SUBRULE(this.names);
      this.CONSUME(CloseBrace);
      return names;
    });
    const integrity = this.OPTION1(() => {
      this.CONSUME(Slash);
      return this.SUBRULE1(this.name);
    });
    return { level, compartments: compartments ?? [], integrity, span: this.since(start) };
  });

  labelRange: Rule<{ low: LabelNode; high: LabelNode }> = this.rule("labelRange", () => {
    const low = this.SUBRULE(this.label);
    const high = this.OPTION(() => {
      this.CONSUME(Range);
      return this.SUBRULE1(this.label);
    });
    return { low, high: high ?? low };
  });

  mode: Rule<ModeNode> = this.rule("mode", () =>
    this.oneOf([
      { ALT: () => this.modeOf("auto", this.CONSUME(word("auto"))) },
      { ALT: () => this.SUBRULE(this.gate) },
      { ALT: () => this.modeOf("forbidden", this.CONSUME(word("forbidden"))) },
    ]),
  );

  gate: Rule<ModeNode> = this.rule("gate", () =>
    this.oneOf([
      { ALT: () => this.modeOf("consent", this.CONSUME(word("consent"))) },
      { ALT: () => this.modeOf("stepUp", this.CONSUME(word("stepUp"))) },
    ]),
  );

  because: Rule<Words> = this.rule("because", () => {
    this.CONSUME(word("because"));
    return this.SUBRULE(this.words);
  });

  protected nameOf(token: IToken): Name {
    return { text: token.image, span: this.spanOf(token) };
  }

  protected joined(parts: readonly Name[]): Reference {
    const first = parts[0] ?? bug("a reference without parts");
    const last = parts[parts.length - 1] ?? first;
    const text = parts.map((part) => part.text).join(".");
    return { parts, text, span: span(this.source, first.span.start, last.span.end) };
  }

  private modeOf(mode: Mode, token: IToken): ModeNode {
    return { mode, span: this.spanOf(token) };
  }
}
