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
import { getKeywordType } from "./token-types.ts";

export class SessionGrammar extends NarrowingGrammar {
  session: Rule<SessionNode> = this.declareRule("session", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    const abstract = this.OPTION(() => this.CONSUME(getKeywordType("abstract"))) !== undefined;
    this.CONSUME(getKeywordType("session"));
    const name = this.SUBRULE(this.name);
    const base = this.OPTION1(() => {
      const relation = this.parseOneOf<"extends" | "from">([
        { ALT: () => this.takeKeyword("extends") },
        { ALT: () => this.takeKeyword("from") },
      ]);
      return { relation, name: this.SUBRULE(this.reference) };
    });
    const { elements: attributes, damaged } = this.block(this.sessionAttribute);
    return { kind: "session", name, doc, abstract, base, attributes, damaged, span: this.closeSpan(start) };
  });

  sessionAttribute: Rule<SessionAttribute> = this.declareRule("sessionAttribute", () => {
    const start = this.start();
    this.takeDocAt(start);
    return this.parseOneOf<SessionAttribute>([
      {
        ALT: () => {
          this.CONSUME(getKeywordType("kind"));
          return { kind: "kind", name: this.SUBRULE(this.name), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("principals"));
          return { kind: "principals", names: this.SUBRULE(this.names), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("login"));
          return { kind: "login", proof: this.SUBRULE1(this.name), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("requires"));
          this.CONSUME(getKeywordType("task"));
          return { kind: "requires", span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("starts"));
          return { kind: "starts", label: this.SUBRULE(this.label), span: this.closeSpan(start) };
        },
      },
      { ALT: () => this.SUBRULE(this.models) },
      { ALT: () => this.SUBRULE(this.clearance) },
      { ALT: () => this.SUBRULE(this.widen) },
      { ALT: () => this.SUBRULE(this.narrowing) },
    ]);
  });

  models: Rule<ModelsNode> = this.declareRule("models", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("models"));
    const { elements: choices } = this.block(this.modelChoice, "line");
    return { kind: "models", choices, span: this.closeSpan(start) };
  });

  modelChoice: Rule<ModelsNode["choices"][number]> = this.declareRule("modelChoice", () => {
    const start = this.start();
    const mode = this.SUBRULE(this.mode);
    const backend = this.SUBRULE(this.name);
    return { mode, backend, span: this.closeSpan(start) };
  });

  clearance: Rule<ClearanceNode> = this.declareRule("clearance", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("clearance"));
    const label = this.SUBRULE(this.label);
    return { kind: "clearance", label, span: this.closeSpan(start) };
  });

  widen: Rule<WidenNode> = this.declareRule("widen", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("widen"));
    const { elements: changes } = this.block(this.widening, "line");
    const because = this.SUBRULE(this.because);
    const until = this.OPTION(() => {
      this.CONSUME(getKeywordType("until"));
      return this.SUBRULE(this.words);
    });
    return { kind: "widen", changes, because, until, span: this.closeSpan(start) };
  });

  widening: Rule<WidenNode["changes"][number]> = this.declareRule("widening", () =>
    this.parseOneOf<WidenNode["changes"][number]>([
      { ALT: () => this.SUBRULE(this.widenLine) },
      { ALT: () => this.SUBRULE(this.models) },
      { ALT: () => this.SUBRULE(this.clearance) },
      { ALT: () => this.SUBRULE(this.quota) },
    ]),
  );

  widenLine: Rule<WidenLine> = this.declareRule("widenLine", () => {
    const line = this.SUBRULE(this.line);
    return { kind: "line", line, span: line.span };
  });
}
