import type {
  BackendAttribute,
  BackendEngine,
  BackendNode,
  ModelAttribute,
  ModelNode,
  Quantity,
} from "../../tree/index.ts";
import { PrincipalGrammar } from "./principals.ts";
import type { Rule } from "./reading.ts";
import { Comma, getKeywordType } from "./token-types.ts";

export class BackendGrammar extends PrincipalGrammar {
  model: Rule<ModelNode> = this.declareRule("model", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("model"));
    const name = this.SUBRULE(this.name);
    const { elements: attributes, damaged } = this.block(this.modelAttribute);
    return { kind: "model", name, doc, attributes, damaged, span: this.closeSpan(start) };
  });

  modelAttribute: Rule<ModelAttribute> = this.declareRule("modelAttribute", () => {
    const start = this.start();
    return this.parseOneOf<ModelAttribute>([
      {
        ALT: () => {
          this.CONSUME(getKeywordType("weights"));
          return { kind: "weights", path: this.SUBRULE(this.words), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("arch"));
          return { kind: "arch", name: this.SUBRULE(this.name), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("quantisation"));
          return { kind: "quantisation", name: this.SUBRULE1(this.name), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("context"));
          return { kind: "context", size: this.SUBRULE(this.quantity), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("accept"));
          return { kind: "accept", size: this.SUBRULE1(this.quantity), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("served"));
          return { kind: "served", words: this.SUBRULE1(this.words), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("price"));
          const amounts: Quantity[] = [];
          this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => amounts.push(this.SUBRULE2(this.quantity)) });
          return { kind: "price", amounts, span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          const token = this.CONSUME(getKeywordType("tools"));
          const value = this.SUBRULE(this.truth);
          return { kind: "tools", supported: { value, span: this.getKeywordSpan(token) }, span: this.closeSpan(start) };
        },
      },
    ]);
  });

  /**
   * A backend. The engine must be the first part of the block. If the engine is missing, the block counts as damaged, and one message
   * reports this.
   */
  backend: Rule<BackendNode> = this.declareRule("backend", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("backend"));
    const name = this.SUBRULE(this.name);
    const { elements, damaged } = this.block(this.backendPart);
    return this.ACTION((): BackendNode => {
      const engine = elements.map((part) => part.engine).find((part) => part !== undefined);
      const attributes = elements.flatMap((part) => part.attribute ?? []);
      return { kind: "backend", name, doc, engine, attributes, damaged, span: this.closeSpan(start) };
    });
  });

  backendPart: Rule<{ engine?: BackendEngine; attribute?: BackendAttribute }> = this.declareRule("backendPart", () =>
    this.parseOneOf<{ engine?: BackendEngine; attribute?: BackendAttribute }>([
      { ALT: () => ({ engine: this.SUBRULE(this.engine) }) },
      { ALT: () => ({ attribute: this.SUBRULE(this.backendAttribute) }) },
    ]),
  );

  engine: Rule<BackendEngine> = this.declareRule("engine", () => {
    const start = this.start();
    return this.parseOneOf<BackendEngine>([
      { ALT: () => ({ kind: this.takeKeyword("cpu"), span: this.closeSpan(start) }) },
      { ALT: () => ({ kind: this.takeKeyword("gpu"), span: this.closeSpan(start) }) },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("stub"));
          const replies = this.OPTION(() => this.SUBRULE(this.words));
          return { kind: "stub", replies, span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("remote"));
          const provider = this.SUBRULE(this.name);
          return { kind: "remote", provider, address: this.SUBRULE1(this.words), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("browser"));
          const provider = this.SUBRULE1(this.name);
          return { kind: "browser", provider, address: this.SUBRULE2(this.words), span: this.closeSpan(start) };
        },
      },
    ]);
  });

  backendAttribute: Rule<BackendAttribute> = this.declareRule("backendAttribute", () => {
    const start = this.start();
    return this.parseOneOf<BackendAttribute>([
      {
        ALT: () => {
          this.CONSUME(getKeywordType("model"));
          return { kind: "model", name: this.SUBRULE(this.name), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("embedder"));
          return { kind: "embedder", name: this.SUBRULE1(this.name), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("threads"));
          return { kind: "threads", count: this.SUBRULE(this.numeral), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("memory"));
          return { kind: "memory", size: this.SUBRULE(this.quantity), span: this.closeSpan(start) };
        },
      },
      { ALT: () => this.SUBRULE(this.clearance) },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("token"));
          return { kind: "token", secret: this.SUBRULE(this.reference), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("log"));
          this.CONSUME(getKeywordType("required"));
          return { kind: "log", span: this.closeSpan(start) };
        },
      },
      { ALT: () => this.SUBRULE(this.quota) },
    ]);
  });
}
