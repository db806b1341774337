import type {
  FloorCondition,
  FloorLine,
  FloorWhere,
  Narrowing,
  QuotaEntry,
  QuotaNode,
  TimeLimit,
  WhenNode,
} from "../../tree/index.ts";
import { LineGrammar } from "./lines.ts";
import type { Rule } from "./reading.ts";
import { GreaterOrEqual, getKeywordType, LessOrEqual } from "./token-types.ts";

/** Rules of the elements that narrow a session, a task, a phase or a worker. */
export class NarrowingGrammar extends LineGrammar {
  narrowing: Rule<Narrowing> = this.declareRule("narrowing", () =>
    this.parseOneOf<Narrowing>([
      { ALT: () => this.SUBRULE(this.permit) },
      { ALT: () => this.SUBRULE(this.only) },
      { ALT: () => this.SUBRULE(this.suppress) },
      { ALT: () => this.SUBRULE(this.remember) },
      { ALT: () => this.SUBRULE(this.when) },
      { ALT: () => this.SUBRULE(this.quota) },
      { ALT: () => this.SUBRULE(this.timeout) },
    ]),
  );

  permit: Rule<Narrowing> = this.declareRule("permit", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("permit"));
    const { elements: lines } = this.block(this.permission, "line");
    return { kind: "permit", lines, span: this.closeSpan(start) };
  });

  only: Rule<Narrowing> = this.declareRule("only", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("only"));
    const patterns = this.SUBRULE(this.patterns);
    return { kind: "only", patterns, span: this.closeSpan(start) };
  });

  suppress: Rule<Narrowing> = this.declareRule("suppress", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("suppress"));
    const patterns = this.SUBRULE(this.patterns);
    return { kind: "suppress", patterns, span: this.closeSpan(start) };
  });

  remember: Rule<Narrowing> = this.declareRule("remember", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("remember"));
    const scope = this.SUBRULE(this.name);
    return { kind: "remember", scope, span: this.closeSpan(start) };
  });

  when: Rule<WhenNode> = this.declareRule("when", () => {
    const start = this.start();
    const met: FloorCondition[] = [];
    this.CONSUME(getKeywordType("when"));
    this.AT_LEAST_ONE_SEP({ SEP: getKeywordType("and"), DEF: () => met.push(this.SUBRULE(this.met)) });
    const { elements: floors } = this.block(this.floor, "line");
    return { kind: "when", met, floors, span: this.closeSpan(start) };
  });

  met: Rule<FloorCondition> = this.declareRule("met", () => {
    const start = this.start();
    return this.parseOneOf<FloorCondition>([
      {
        ALT: () => {
          this.CONSUME(getKeywordType("confidentiality"));
          this.CONSUME(GreaterOrEqual);
          return { kind: "confidentiality", level: this.SUBRULE(this.name), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("integrity"));
          this.CONSUME(LessOrEqual);
          return { kind: "integrity", level: this.SUBRULE1(this.name), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("compartment"));
          return { kind: "compartment", compartment: this.SUBRULE2(this.name), span: this.closeSpan(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("unattended"));
          return { kind: "unattended", span: this.closeSpan(start) };
        },
      },
    ]);
  });

  floor: Rule<FloorLine> = this.declareRule("floor", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("atLeast"));
    const mode = this.SUBRULE(this.mode);
    const patterns = this.SUBRULE(this.patterns);
    const where = this.OPTION(() => this.SUBRULE(this.floorWhere));
    return { mode, patterns, where, span: this.closeSpan(start) };
  });

  floorWhere: Rule<FloorWhere> = this.declareRule("floorWhere", () => {
    const start = this.start();
    const checks = this.SUBRULE(this.checks);
    return { checks, span: this.closeSpan(start) };
  });

  quota: Rule<QuotaNode> = this.declareRule("quota", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("quota"));
    const { elements: entries } = this.block(this.quotaEntry, "line");
    return { kind: "quota", entries, span: this.closeSpan(start) };
  });

  quotaEntry: Rule<QuotaEntry> = this.declareRule("quotaEntry", () => {
    const start = this.start();
    const amount = this.SUBRULE(this.numeral);
    const unit = this.SUBRULE(this.name);
    const noun = this.OPTION(() => this.SUBRULE1(this.name));
    this.CONSUME(getKeywordType("per"));
    const scope = this.SUBRULE2(this.name);
    return { amount, unit, noun, scope, span: this.closeSpan(start) };
  });

  timeout: Rule<Narrowing> = this.declareRule("timeout", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("timeout"));
    const { elements: limits } = this.block(this.timeLimit, "line");
    return { kind: "timeout", limits, span: this.closeSpan(start) };
  });

  timeLimit: Rule<TimeLimit> = this.declareRule("timeLimit", () => {
    const start = this.start();
    const limit = this.SUBRULE(this.quantity);
    this.CONSUME(getKeywordType("per"));
    const scope = this.SUBRULE(this.name);
    return { limit, scope, span: this.closeSpan(start) };
  });
}
