import type {
  ClearanceNode,
  ModelsNode,
  SessionAttribute,
  SessionNode,
  WidenLine,
  WidenNode,
} from "../../tree/index.ts";
import { NarrowingGrammar } from "./narrowing.ts";
import type { Rule } from "./reading.ts";
import { word } from "./token-types.ts";

export class SessionGrammar extends NarrowingGrammar {
  session: Rule<SessionNode> = this.rule("session", () => {
    const start = this.start();
    const doc = this.docAt(start);
    const abstract = this.OPTION(() => this.CONSUME(word("abstract"))) !== undefined;
    this.CONSUME(word("session"));
    const name = this.SUBRULE(this.name);
    const base = this.OPTION1(() => {
      const relation = this.oneOf<"extends" | "from">([
        { ALT: () => this.says("extends") },
        { ALT: () => this.says("from") },
      ]);
      return { relation, name: this.SUBRULE(this.reference) };
    });
    const { elements: attributes, damaged } = this.block(this.sessionAttribute);
    return { kind: "session", name, doc, abstract, base, attributes, damaged, span: this.since(start) };
  });

  sessionAttribute: Rule<SessionAttribute> = this.rule("sessionAttribute", () => {
    const start = this.start();
    this.docAt(start);
    return this.oneOf<SessionAttribute>([
      {
        ALT: () => {
          this.CONSUME(word("kind"));
          return { kind: "kind", name: this.SUBRULE(this.name), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("principals"));
          return { kind: "principals", names: this.SUBRULE(this.names), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("login"));
          return { kind: "login", proof: this.SUBRULE1(this.name), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("starts"));
          return { kind: "starts", label: this.SUBRULE(this.label), span: this.since(start) };
        },
      },
      { ALT: () => this.SUBRULE(this.models) },
      { ALT: () => this.SUBRULE(this.clearance) },
      { ALT: () => this.SUBRULE(this.widen) },
      { ALT: () => this.SUBRULE(this.narrowing) },
    ]);
  });

  models: Rule<ModelsNode> = this.rule("models", () => {
    const start = this.start();
    this.CONSUME(word("models"));
    const { elements: choices } = this.block(this.modelChoice, "line");
    return { kind: "models", choices, span: this.since(start) };
  });

  modelChoice: Rule<ModelsNode["choices"][number]> = this.rule("modelChoice", () => {
    const start = this.start();
    const mode = this.SUBRULE(this.mode);
    const backend = this.SUBRULE(this.name);
    return { mode, backend, span: this.since(start) };
  });

  clearance: Rule<ClearanceNode> = this.rule("clearance", () => {
    const start = this.start();
    this.CONSUME(word("clearance"));
    const label = this.SUBRULE(this.label);
    return { kind: "clearance", label, span: this.since(start) };
  });

  widen: Rule<WidenNode> = this.rule("widen", () => {
    const start = this.start();
    this.CONSUME(word("widen"));
    const { elements: changes } = this.block(this.widening, "line");
    const because = this.SUBRULE(this.because);
    const until = this.OPTION(() => {
      this.CONSUME(word("until"));
      return this.SUBRULE(this.words);
    });
    return { kind: "widen", changes, because, until, span: this.since(start) };
  });

  widening: Rule<WidenNode["changes"][number]> = this.rule("widening", () =>
    this.oneOf<WidenNode["changes"][number]>([
      { ALT: () => this.SUBRULE(this.widenLine) },
      { ALT: () => this.SUBRULE(this.models) },
      { ALT: () => this.SUBRULE(this.clearance) },
      { ALT: () => this.SUBRULE(this.quota) },
    ]),
  );

  widenLine: Rule<WidenLine> = this.rule("widenLine", () => {
    const line = this.SUBRULE(this.line);
    return { kind: "line", line, span: line.span };
  });
}
