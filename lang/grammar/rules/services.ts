import type { ServiceAttribute, ServiceNode } from "../../tree/index.ts";
import { BackendGrammar } from "./backends.ts";
import type { Rule } from "./reading.ts";
import { Colon, getKeywordType } from "./token-types.ts";

export class ServiceGrammar extends BackendGrammar {
  service: Rule<ServiceNode> = this.declareRule("service", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("service"));
    const name = this.SUBRULE(this.name);
    this.CONSUME(Colon);
    const reference = this.SUBRULE(this.reference);
    const { elements: attributes, damaged } = this.block(this.serviceAttribute);
    return { kind: "service", name, doc, interface: reference, attributes, damaged, span: this.closeSpan(start) };
  });

  serviceAttribute: Rule<ServiceAttribute> = this.declareRule("serviceAttribute", () => {
    const start = this.start();
    return this.parseOneOf<ServiceAttribute>([
      {
        ALT: () => {
          this.CONSUME(getKeywordType("exec"));
          return { kind: "exec", path: this.SUBRULE(this.words), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("state"));
          return { kind: "state", size: this.SUBRULE(this.quantity), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("label"));
          const { low, high } = this.SUBRULE(this.labelRange);
          return { kind: "label", low, high, span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("strong"));
          return { kind: "strong", fields: this.SUBRULE(this.references), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("grant"));
          const to = this.SUBRULE(this.reference);
          const scopes = this.OPTION(() => {
            this.CONSUME(getKeywordType("scope"));
            return this.SUBRULE(this.texts);
          });
          return { kind: "grant", to, scopes: scopes ?? [], span: this.closeSpan(start) };
        },
      },
    ]);
  });
}
