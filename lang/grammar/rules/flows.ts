import type { IngressNode, RedactionNode, RedactionPart, Reference, WaiveNode } from "../../tree/index.ts";
import type { Rule } from "./reading.ts";
import { ServiceGrammar } from "./services.ts";
import { Colon, Comma, getKeywordType } from "./token-types.ts";

/**
 * Rules of ingresses, redactions and waivers. The rule of releases is in `TaskGrammar`, because tasks contain releases
 * too.
 */
export class FlowGrammar extends ServiceGrammar {
  ingress: Rule<IngressNode> = this.declareRule("ingress", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("ingress"));
    const name = this.SUBRULE(this.name);
    this.CONSUME(Colon);
    const source = this.SUBRULE1(this.name);
    const address = this.OPTION(() => this.SUBRULE(this.words));
    const zone = this.OPTION1(() => {
      this.CONSUME(getKeywordType("in"));
      return this.SUBRULE1(this.words);
    });
    const missed = this.OPTION2(() => {
      this.CONSUME(getKeywordType("missed"));
      return this.SUBRULE2(this.name);
    });
    const says = this.OPTION3(() => {
      this.CONSUME(getKeywordType("says"));
      return this.SUBRULE2(this.words);
    });
    this.CONSUME(getKeywordType("into"));
    const into = this.SUBRULE(this.reference);
    this.CONSUME(getKeywordType("label"));
    const label = this.SUBRULE(this.label);
    const span = this.closeSpan(start);
    return { kind: "ingress", name, doc, source, address, zone, missed, into, label, says, damaged: false, span };
  });

  redaction: Rule<RedactionNode> = this.declareRule("redaction", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("redact"));
    const name = this.SUBRULE(this.name);
    this.CONSUME(getKeywordType("label"));
    const label = this.SUBRULE(this.label);
    const { elements: parts, damaged } = this.block(this.redactionPart);
    return { kind: "redaction", name, doc, label, parts, damaged, span: this.closeSpan(start) };
  });

  redactionPart: Rule<RedactionPart> = this.declareRule("redactionPart", () => {
    const start = this.start();
    return this.parseOneOf<RedactionPart>([
      {
        ALT: () => {
          this.CONSUME(getKeywordType("matches"));
          return { kind: "matches", patterns: this.SUBRULE(this.texts), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          const kind = this.takeKeyword("from");
          return { kind, fields: this.SUBRULE(this.fields), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          const kind = this.takeKeyword("arg");
          return { kind, fields: this.SUBRULE1(this.fields), span: this.closeSpan(start) };
        },
      },
    ]);
  });

  fields: Rule<readonly Reference[]> = this.declareRule("fields", () => {
    const fields: Reference[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => fields.push(this.SUBRULE(this.reference)) });
    return fields;
  });

  waive: Rule<WaiveNode> = this.declareRule("waive", () => {
    const start = this.start();
    this.takeDocAt(start);
    this.CONSUME(getKeywordType("waive"));
    const assertion = this.SUBRULE(this.name);
    const session = this.OPTION(() => this.SUBRULE(this.subject));
    const because = this.SUBRULE(this.because);
    return { kind: "waive", assertion, session, because, span: this.closeSpan(start) };
  });
}
