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
import { Comma, word } from "./token-types.ts";

export class BackendGrammar extends PrincipalGrammar {
  model: Rule<ModelNode> = this.rule("model", () => {
    const start = this.start();
    const doc = this.docAt(start);
    this.CONSUME(word("model"));
    const name = this.SUBRULE(this.name);
    const { elements: attributes, damaged } = this.block(this.modelAttribute);
    return { kind: "model", name, doc, attributes, damaged, span: this.since(start) };
  });

  modelAttribute: Rule<ModelAttribute> = this.rule("modelAttribute", () => {
    const start = this.start();
    return this.oneOf<ModelAttribute>([
      {
        ALT: () => {
          this.CONSUME(word("weights"));
          return { kind: "weights", path: this.SUBRULE(this.words), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("arch"));
          return { kind: "arch", name: this.SUBRULE(this.name), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("quantisation"));
          return { kind: "quantisation", name: this.SUBRULE1(this.name), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("context"));
          return { kind: "context", size: this.SUBRULE(this.quantity), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("accept"));
          return { kind: "accept", size: this.SUBRULE1(this.quantity), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("served"));
          return { kind: "served", words: this.SUBRULE1(this.words), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("price"));
          const amounts: Quantity[] = [];
          this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => amounts.push(this.SUBRULE2(this.quantity)) });
          return { kind: "price", amounts, span: this.since(start) };
        },
      },
      {
        ALT: () => {
          const token = this.CONSUME(word("tools"));
          const value = this.SUBRULE(this.truth);
          return { kind: "tools", supported: { value, span: this.keyword(token) }, span: this.since(start) };
        },
      },
    ]);
  });

  /** The engine goes first; without it the block is damaged, and one message says so. */
  backend: Rule<BackendNode> = this.rule("backend", () => {
    const start = this.start();
    const doc = this.docAt(start);
    this.CONSUME(word("backend"));
    const name = this.SUBRULE(this.name);
    const { elements, damaged } = this.block(this.backendPart);
    return this.ACTION((): BackendNode => {
      const engine = elements.map((part) => part.engine).find((part) => part !== undefined);
      const attributes = elements.flatMap((part) => part.attribute ?? []);
      return { kind: "backend", name, doc, engine, attributes, damaged, span: this.since(start) };
    });
  });

  backendPart: Rule<{ engine?: BackendEngine; attribute?: BackendAttribute }> = this.rule("backendPart", () =>
    this.oneOf<{ engine?: BackendEngine; attribute?: BackendAttribute }>([
      { ALT: () => ({ engine: this.SUBRULE(this.engine) }) },
      { ALT: () => ({ attribute: this.SUBRULE(this.backendAttribute) }) },
    ]),
  );

  engine: Rule<BackendEngine> = this.rule("engine", () => {
    const start = this.start();
    return this.oneOf<BackendEngine>([
      { ALT: () => ({ kind: this.says("cpu"), span: this.since(start) }) },
      { ALT: () => ({ kind: this.says("gpu"), span: this.since(start) }) },
      {
        ALT: () => {
          this.CONSUME(word("stub"));
          const replies = this.OPTION(() => this.SUBRULE(this.words));
          return { kind: "stub", replies, span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("remote"));
          const provider = this.SUBRULE(this.name);
          return { kind: "remote", provider, address: this.SUBRULE1(this.words), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("browser"));
          const provider = this.SUBRULE1(this.name);
          return { kind: "browser", provider, address: this.SUBRULE2(this.words), span: this.since(start) };
        },
      },
    ]);
  });

  backendAttribute: Rule<BackendAttribute> = this.rule("backendAttribute", () => {
    const start = this.start();
    return this.oneOf<BackendAttribute>([
      {
        ALT: () => {
          this.CONSUME(word("model"));
          return { kind: "model", name: this.SUBRULE(this.name), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("embedder"));
          return { kind: "embedder", name: this.SUBRULE1(this.name), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("threads"));
          return { kind: "threads", count: this.SUBRULE(this.numeral), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("memory"));
          return { kind: "memory", size: this.SUBRULE(this.quantity), span: this.since(start) };
        },
      },
      { ALT: () => this.SUBRULE(this.clearance) },
      {
        ALT: () => {
          this.CONSUME(word("token"));
          return { kind: "token", secret: this.SUBRULE(this.reference), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("log"));
          this.CONSUME(word("required"));
          return { kind: "log", span: this.since(start) };
        },
      },
      { ALT: () => this.SUBRULE(this.quota) },
    ]);
  });
}
