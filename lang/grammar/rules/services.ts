import type { ServiceAttribute, ServiceNode } from "../../tree/index.ts";
import { BackendGrammar } from "./backends.ts";
import type { Rule } from "./reading.ts";
import { Colon, word } from "./token-types.ts";

export class ServiceGrammar extends BackendGrammar {
  service: Rule<ServiceNode> = this.rule("service", () => {
    const start = this.start();
    const doc = this.docAt(start);
    this.CONSUME(word("service"));
    const name = this.SUBRULE(this.name);
    this.CONSUME(Colon);
    const reference = this.SUBRULE(this.reference);
    const { elements: attributes, damaged } = this.block(this.serviceAttribute);
    return { kind: "service", name, doc, interface: reference, attributes, damaged, span: this.since(start) };
  });

  serviceAttribute: Rule<ServiceAttribute> = this.rule("serviceAttribute", () => {
    const start = this.start();
    return this.oneOf<ServiceAttribute>([
      {
        ALT: () => {
          this.CONSUME(word("exec"));
          return { kind: "exec", path: this.SUBRULE(this.words), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("state"));
          return { kind: "state", size: this.SUBRULE(this.quantity), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("label"));
          const { low, high } = this.SUBRULE(this.labelRange);
          return { kind: "label", low, high, span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("grant"));
          const to = this.SUBRULE(this.reference);
          const scopes = this.OPTION(() => {
            this.CONSUME(word("scope"));
            return this.SUBRULE(this.texts);
          });
          return { kind: "grant", to, scopes: scopes ?? [], span: this.since(start) };
        },
      },
    ]);
  });
}
