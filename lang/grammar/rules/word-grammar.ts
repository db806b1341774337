import type { IToken } from "chevrotain";
import { bug } from "../../diagnostics/index.ts";
import { makeSpan } from "../../text/index.ts";
import type { LabelNode, Mode, ModeNode, Name, Numeral, Quantity, Reference, Words } from "../../tree/index.ts";
import { normalizeDecimal, unescapeText } from "../literals.ts";
import { BlockGrammar } from "./blocks.ts";
import type { Rule } from "./reading.ts";
import {
  CloseBrace,
  Colon,
  Comma,
  Dot,
  getKeywordType,
  Identifier,
  NumberLiteral,
  OpenBrace,
  Range,
  Slash,
  StringLiteral,
} from "./token-types.ts";

/** Parses names, literals, labels and modes. */
export class WordGrammar extends BlockGrammar {
  name: Rule<Name> = this.declareRule("name", () => this.nameOf(this.CONSUME(Identifier)));

  reference: Rule<Reference> = this.declareRule("reference", () => {
    const parts = [this.SUBRULE(this.name)];
    this.MANY(() => {
      this.CONSUME(Dot);
      parts.push(this.SUBRULE(this.member));
    });
    return this.ACTION(() => this.joinParts(parts));
  });

  /** A name after a dot, or the name of an argument. In these places a reserved word in quotation marks is a name. */
  member: Rule<Name> = this.declareRule("member", () =>
    this.parseOneOf([
      { ALT: () => this.SUBRULE(this.name) },
      {
        ALT: () => {
          const { value, span } = this.SUBRULE(this.words);
          return { text: value, span };
        },
      },
    ]),
  );

  words: Rule<Words> = this.declareRule("words", () => {
    const token = this.CONSUME(StringLiteral);
    return this.ACTION(() => {
      const at = this.getTokenSpan(token);
      return { value: unescapeText(token.image, at, (diagnostic) => this.found.push(diagnostic)), span: at };
    });
  });

  numeral: Rule<Numeral> = this.declareRule("numeral", () => {
    const token = this.CONSUME(NumberLiteral);
    return this.ACTION(() => ({ decimal: normalizeDecimal(token.image), span: this.getTokenSpan(token) }));
  });

  quantity: Rule<Quantity> = this.declareRule("quantity", () => {
    const start = this.start();
    const amount = this.SUBRULE(this.numeral);
    const unit = this.SUBRULE(this.name);
    return { amount, unit, span: this.closeSpan(start) };
  });

  names: Rule<Name[]> = this.declareRule("names", () => {
    const names: Name[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => names.push(this.SUBRULE(this.name)) });
    return names;
  });

  texts: Rule<Words[]> = this.declareRule("texts", () => {
    const texts: Words[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => texts.push(this.SUBRULE(this.words)) });
    return texts;
  });

  truth: Rule<boolean> = this.declareRule("truth", () =>
    this.parseOneOf([
      { ALT: () => this.CONSUME(getKeywordType("true")) !== undefined },
      { ALT: () => this.CONSUME(getKeywordType("false")) === undefined },
    ]),
  );

  label: Rule<LabelNode> = this.declareRule("label", () => {
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
    return { level, compartments: compartments ?? [], integrity, span: this.closeSpan(start) };
  });

  labelRange: Rule<{ low: LabelNode; high: LabelNode }> = this.declareRule("labelRange", () => {
    const low = this.SUBRULE(this.label);
    const high = this.OPTION(() => {
      this.CONSUME(Range);
      return this.SUBRULE1(this.label);
    });
    return { low, high: high ?? low };
  });

  mode: Rule<ModeNode> = this.declareRule("mode", () =>
    this.parseOneOf([
      { ALT: () => this.createMode("auto", this.CONSUME(getKeywordType("auto"))) },
      { ALT: () => this.SUBRULE(this.gate) },
      { ALT: () => this.createMode("forbidden", this.CONSUME(getKeywordType("forbidden"))) },
    ]),
  );

  gate: Rule<ModeNode> = this.declareRule("gate", () =>
    this.parseOneOf([
      { ALT: () => this.createMode("consent", this.CONSUME(getKeywordType("consent"))) },
      { ALT: () => this.createMode("stepUp", this.CONSUME(getKeywordType("stepUp"))) },
    ]),
  );

  because: Rule<Words> = this.declareRule("because", () => {
    this.CONSUME(getKeywordType("because"));
    return this.SUBRULE(this.words);
  });

  protected nameOf(token: IToken): Name {
    return { text: token.image, span: this.getTokenSpan(token) };
  }

  protected joinParts(parts: readonly Name[]): Reference {
    const first = parts[0] ?? bug("a reference without parts");
    const last = parts[parts.length - 1] ?? first;
    const text = parts.map((part) => part.text).join(".");
    return { parts, text, span: makeSpan(this.source, first.span.start, last.span.end) };
  }

  private createMode(mode: Mode, token: IToken): ModeNode {
    return { mode, span: this.getTokenSpan(token) };
  }
}
