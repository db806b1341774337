import type { IngressNode, ReleaseNode, WaiveNode } from "../../tree/index.ts";
import type { Rule } from "./reading.ts";
import { ServiceGrammar } from "./services.ts";
import { Colon, Dot, word } from "./token-types.ts";

/** What crosses the system's borders: ingress, releases of labelled text, and assertions taken back. */
export class FlowGrammar extends ServiceGrammar {
  ingress: Rule<IngressNode> = this.rule("ingress", () => {
    const start = this.start();
    const doc = this.docAt(start);
    this.CONSUME(word("ingress"));
    const name = this.SUBRULE(this.name);
    this.CONSUME(Colon);
    const source = this.SUBRULE1(this.name);
    const address = this.OPTION(() => this.SUBRULE(this.words));
    this.CONSUME(word("into"));
    const into = this.SUBRULE(this.reference);
    this.CONSUME(word("label"));
    const label = this.SUBRULE(this.label);
    return { kind: "ingress", name, doc, source, address, into, label, damaged: false, span: this.since(start) };
  });

  release: Rule<ReleaseNode> = this.rule("release", () => {
    const start = this.start();
    this.docAt(start);
    const act = this.oneOf<ReleaseNode["act"]>([
      { ALT: () => this.says("declassify") },
      { ALT: () => this.says("endorse") },
    ]);
    const parts = [this.SUBRULE(this.name)];
    this.CONSUME(Dot);
    parts.push(this.SUBRULE(this.member));
    this.CONSUME(word("from"));
    const from = this.SUBRULE(this.label);
    this.CONSUME(word("to"));
    const to = this.SUBRULE1(this.label);
    this.CONSUME(word("by"));
    const by = this.SUBRULE(this.gate);
    const session = this.OPTION(() => this.SUBRULE(this.subject));
    const because = this.SUBRULE(this.because);
    return this.ACTION(() => {
      const tool = this.joined(parts);
      return { kind: "release", act, tool, from, to, by, session, because, span: this.since(start) };
    });
  });

  waive: Rule<WaiveNode> = this.rule("waive", () => {
    const start = this.start();
    this.docAt(start);
    this.CONSUME(word("waive"));
    const assertion = this.SUBRULE(this.name);
    const session = this.OPTION(() => this.SUBRULE(this.subject));
    const because = this.SUBRULE(this.because);
    return { kind: "waive", assertion, session, because, span: this.since(start) };
  });

  subject: Rule<ReturnType<typeof this.reference>> = this.rule("subject", () => {
    this.CONSUME(word("for"));
    return this.SUBRULE(this.reference);
  });
}
