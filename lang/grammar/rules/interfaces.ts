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
import { CloseBrace, Colon, Less, OpenBrace, word } from "./token-types.ts";

/** The lattices, categories, and facts about the methods of interfaces. */
export class InterfaceGrammar extends TaskGrammar {
  levels: Rule<LevelsNode> = this.rule("levels", () => {
    const start = this.start();
    this.docAt(start);
    const lattice = this.oneOf<LevelsNode["lattice"]>([
      { ALT: () => this.says("confidentiality") },
      { ALT: () => this.says("integrity") },
    ]);
    const levels: Name[] = [];
    this.CONSUME(OpenBrace);
    this.AT_LEAST_ONE_SEP({ SEP: Less, DEF: () => levels.push(this.SUBRULE(this.name)) });
    this.CONSUME(CloseBrace);
    return { kind: "levels", lattice, levels, span: this.since(start) };
  });

  compartments: Rule<CompartmentsNode> = this.rule("compartments", () => {
    const start = this.start();
    this.docAt(start);
    this.CONSUME(word("compartments"));
    this.CONSUME(OpenBrace);
    const names = this.SUBRULE(this.names);
    this.CONSUME(CloseBrace);
    return { kind: "compartments", names, span: this.since(start) };
  });

  category: Rule<CategoryNode> = this.rule("category", () => {
    const start = this.start();
    const doc = this.docAt(start);
    this.CONSUME(word("category"));
    const name = this.SUBRULE(this.name);
    const parent = this.OPTION(() => {
      this.CONSUME(Colon);
      return this.SUBRULE1(this.name);
    });
    return { kind: "category", name, doc, parent, damaged: false, span: this.since(start) };
  });

  interface: Rule<InterfaceNode> = this.rule("interface", () => {
    const start = this.start();
    const doc = this.docAt(start);
    this.CONSUME(word("interface"));
    const reference = this.SUBRULE(this.reference);
    const { elements: methods, damaged } = this.block(this.method);
    const name = { text: reference.text, span: reference.span };
    return { kind: "interface", name, reference, doc, methods, damaged, span: this.since(start) };
  });

  method: Rule<MethodNode> = this.rule("method", () => {
    const start = this.start();
    const doc = this.docAt(start);
    const facts: Fact[] = [];
    this.CONSUME(word("method"));
    const name = this.SUBRULE(this.member);
    this.CONSUME(Colon);
    const category = this.SUBRULE(this.name);
    this.MANY(() => facts.push(this.SUBRULE(this.fact)));
    return { kind: "method", name, doc, category, facts, damaged: false, span: this.since(start) };
  });

  fact: Rule<Fact> = this.rule("fact", () => {
    const start = this.start();
    return this.oneOf<Fact>([
      {
        ALT: () => {
          this.CONSUME(word("arg"));
          const argument = this.SUBRULE(this.reference);
          this.CONSUME(word("is"));
          return { kind: "argument", argument, meaning: this.SUBRULE(this.meaning), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("returns"));
          const { low, high } = this.SUBRULE(this.labelRange);
          return { kind: "returns", low, high, span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("sends"));
          return { kind: "sends", label: this.SUBRULE(this.label), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("redact"));
          return { kind: "redact", fields: this.SUBRULE(this.texts), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("truncate"));
          return { kind: "truncate", size: this.SUBRULE(this.quantity), span: this.since(start) };
        },
      },
    ]);
  });

  meaning: Rule<ArgumentMeaning> = this.rule("meaning", () =>
    this.oneOf<ArgumentMeaning>([
      { ALT: () => ({ kind: this.says("path") }) },
      { ALT: () => ({ kind: this.says("url") }) },
      { ALT: () => ({ kind: this.says("text") }) },
      { ALT: () => ({ kind: this.says("program") }) },
      {
        ALT: () => {
          this.CONSUME(word("money"));
          return { kind: "money", currency: this.SUBRULE(this.name) };
        },
      },
    ]),
  );
}
