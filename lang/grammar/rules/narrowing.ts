import type { FloorLine, Met, Narrowing, QuotaEntry, QuotaNode, TimeLimit, WhenNode } from "../../tree/index.ts";
import { LineGrammar } from "./lines.ts";
import type { Rule } from "./reading.ts";
import { GreaterOrEqual, LessOrEqual, word } from "./token-types.ts";

/** What narrows a session, a task, a phase or a worker. */
export class NarrowingGrammar extends LineGrammar {
  narrowing: Rule<Narrowing> = this.rule("narrowing", () =>
    this.oneOf<Narrowing>([
      { ALT: () => this.SUBRULE(this.permit) },
      { ALT: () => this.SUBRULE(this.only) },
      { ALT: () => this.SUBRULE(this.suppress) },
      { ALT: () => this.SUBRULE(this.remember) },
      { ALT: () => this.SUBRULE(this.when) },
      { ALT: () => this.SUBRULE(this.quota) },
      { ALT: () => this.SUBRULE(this.timeout) },
    ]),
  );

  permit: Rule<Narrowing> = this.rule("permit", () => {
    const start = this.start();
    this.CONSUME(word("permit"));
    const { elements: lines } = this.block(this.line, "line");
    return { kind: "permit", lines, span: this.since(start) };
  });

  only: Rule<Narrowing> = this.rule("only", () => {
    const start = this.start();
    this.CONSUME(word("only"));
    const patterns = this.SUBRULE(this.patterns);
    return { kind: "only", patterns, span: this.since(start) };
  });

  suppress: Rule<Narrowing> = this.rule("suppress", () => {
    const start = this.start();
    this.CONSUME(word("suppress"));
    const patterns = this.SUBRULE(this.patterns);
    return { kind: "suppress", patterns, span: this.since(start) };
  });

  remember: Rule<Narrowing> = this.rule("remember", () => {
    const start = this.start();
    this.CONSUME(word("remember"));
    const scope = this.SUBRULE(this.name);
    return { kind: "remember", scope, span: this.since(start) };
  });

  when: Rule<WhenNode> = this.rule("when", () => {
    const start = this.start();
    const met: Met[] = [];
    this.CONSUME(word("when"));
    this.AT_LEAST_ONE_SEP({ SEP: word("and"), DEF: () => met.push(this.SUBRULE(this.met)) });
    const { elements: floors } = this.block(this.floor, "line");
    return { kind: "when", met, floors, span: this.since(start) };
  });

  met: Rule<Met> = this.rule("met", () => {
    const start = this.start();
    return this.oneOf<Met>([
      {
        ALT: () => {
          this.CONSUME(word("confidentiality"));
          this.CONSUME(GreaterOrEqual);
          return { kind: "confidentiality", level: this.SUBRULE(this.name), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("integrity"));
          this.CONSUME(LessOrEqual);
          return { kind: "integrity", level: this.SUBRULE1(this.name), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("compartment"));
          return { kind: "compartment", compartment: this.SUBRULE2(this.name), span: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("unattended"));
          return { kind: "unattended", span: this.since(start) };
        },
      },
    ]);
  });

  floor: Rule<FloorLine> = this.rule("floor", () => {
    const start = this.start();
    this.CONSUME(word("atLeast"));
    const mode = this.SUBRULE(this.mode);
    const patterns = this.SUBRULE(this.patterns);
    return { mode, patterns, span: this.since(start) };
  });

  quota: Rule<QuotaNode> = this.rule("quota", () => {
    const start = this.start();
    this.CONSUME(word("quota"));
    const { elements: entries } = this.block(this.quotaEntry, "line");
    return { kind: "quota", entries, span: this.since(start) };
  });

  quotaEntry: Rule<QuotaEntry> = this.rule("quotaEntry", () => {
    const start = this.start();
    const amount = this.SUBRULE(this.numeral);
    const unit = this.SUBRULE(this.name);
    const noun = this.OPTION(() => this.SUBRULE1(this.name));
    this.CONSUME(word("per"));
    const scope = this.SUBRULE2(this.name);
    return { amount, unit, noun, scope, span: this.since(start) };
  });

  timeout: Rule<Narrowing> = this.rule("timeout", () => {
    const start = this.start();
    this.CONSUME(word("timeout"));
    const { elements: limits } = this.block(this.timeLimit, "line");
    return { kind: "timeout", limits, span: this.since(start) };
  });

  timeLimit: Rule<TimeLimit> = this.rule("timeLimit", () => {
    const start = this.start();
    const limit = this.SUBRULE(this.quantity);
    this.CONSUME(word("per"));
    const scope = this.SUBRULE(this.name);
    return { limit, scope, span: this.since(start) };
  });
}
