import type {
  ArgumentMeaning,
  CategoryNode,
  CompartmentsNode,
  Fact,
  InterfaceNode,
  LevelsNode,
  MethodNode,
  Name,
} from "../../tree/index.ts";
import type { Rule } from "./reading.ts";
import { TaskGrammar } from "./tasks.ts";
import { CloseBrace, Colon, getKeywordType, Less, OpenBrace } from "./token-types.ts";

/** Rules of lattices, of categories, and of facts about the methods of interfaces. */
export class InterfaceGrammar extends TaskGrammar {
  levels: Rule<LevelsNode> = this.declareRule("levels", () => {
    const start = this.start();
    this.takeDocAt(start);
    const lattice = this.parseOneOf<LevelsNode["lattice"]>([
      { ALT: () => this.takeKeyword("confidentiality") },
      { ALT: () => this.takeKeyword("integrity") },
    ]);
    const levels: Name[] = [];
    this.CONSUME(OpenBrace);
    this.AT_LEAST_ONE_SEP({ SEP: Less, DEF: () => levels.push(this.SUBRULE(this.name)) });
    this.CONSUME(CloseBrace);
    return { kind: "levels", lattice, levels, span: this.closeSpan(start) };
  });

  compartments: Rule<CompartmentsNode> = this.declareRule("compartments", () => {
    const start = this.start();
    this.takeDocAt(start);
    this.CONSUME(getKeywordType("compartments"));
    this.CONSUME(OpenBrace);
    const names = this.SUBRULE(this.names);
    this.CONSUME(CloseBrace);
    return { kind: "compartments", names, span: this.closeSpan(start) };
  });

  category: Rule<CategoryNode> = this.declareRule("category", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("category"));
    const name = this.SUBRULE(this.name);
    const parent = this.OPTION(() => {
      this.CONSUME(Colon);
      return this.SUBRULE1(this.name);
    });
    return { kind: "category", name, doc, parent, damaged: false, span: this.closeSpan(start) };
  });

  interface: Rule<InterfaceNode> = this.declareRule("interface", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("interface"));
    const reference = this.SUBRULE(this.reference);
    const { elements: methods, damaged } = this.block(this.method);
    const name = { text: reference.text, span: reference.span };
    return { kind: "interface", name, reference, doc, methods, damaged, span: this.closeSpan(start) };
  });

  method: Rule<MethodNode> = this.declareRule("method", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    const facts: Fact[] = [];
    this.CONSUME(getKeywordType("method"));
    const name = this.SUBRULE(this.member);
    this.CONSUME(Colon);
    const category = this.SUBRULE(this.name);
    this.MANY(() => facts.push(this.SUBRULE(this.fact)));
    return { kind: "method", name, doc, category, facts, damaged: false, span: this.closeSpan(start) };
  });

  fact: Rule<Fact> = this.declareRule("fact", () => {
    const start = this.start();
    return this.parseOneOf<Fact>([
      {
        ALT: () => {
          this.CONSUME(getKeywordType("arg"));
          const argument = this.SUBRULE(this.reference);
          this.CONSUME(getKeywordType("is"));
          return { kind: "argument", argument, meaning: this.SUBRULE(this.meaning), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("returns"));
          const { low, high } = this.SUBRULE(this.labelRange);
          return { kind: "returns", low, high, span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("sends"));
          return { kind: "sends", label: this.SUBRULE(this.label), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("redact"));
          return { kind: "redact", fields: this.SUBRULE(this.texts), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("truncate"));
          return { kind: "truncate", size: this.SUBRULE(this.quantity), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("says"));
          return { kind: "says", words: this.SUBRULE(this.words), span: this.closeSpan(start) };
        },
      },
    ]);
  });

  meaning: Rule<ArgumentMeaning> = this.declareRule("meaning", () =>
    this.parseOneOf<ArgumentMeaning>([
      { ALT: () => ({ kind: this.takeKeyword("path") }) },
      { ALT: () => ({ kind: this.takeKeyword("url") }) },
      { ALT: () => ({ kind: this.takeKeyword("text") }) },
      { ALT: () => ({ kind: this.takeKeyword("program") }) },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("money"));
          return { kind: "money", currency: this.SUBRULE(this.name) };
        },
      },
    ]),
  );
}
