import type {
  Name,
  Narrowing,
  PhaseNode,
  ReleaseNode,
  TaskAttribute,
  TaskNode,
  TaskParameterNode,
  WorkerNode,
} from "../../tree/index.ts";
import type { Rule } from "./reading.ts";
import { SessionGrammar } from "./sessions.ts";
import { CloseParen, Colon, Comma, Dot, getKeywordType, OpenParen } from "./token-types.ts";

export class TaskGrammar extends SessionGrammar {
  task: Rule<TaskNode> = this.declareRule("task", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("task"));
    const name = this.SUBRULE(this.name);
    const parameters = this.OPTION(() => this.SUBRULE(this.taskParameters)) ?? [];
    this.CONSUME(getKeywordType("in"));
    const session = this.SUBRULE(this.reference);
    const { elements: attributes, damaged } = this.block(this.taskAttribute);
    return { kind: "task", name, doc, parameters, session, attributes, damaged, span: this.closeSpan(start) };
  });

  taskParameters: Rule<TaskParameterNode[]> = this.declareRule("taskParameters", () => {
    const parameters: TaskParameterNode[] = [];
    this.CONSUME(OpenParen);
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => parameters.push(this.SUBRULE(this.taskParameter)) });
    this.CONSUME(CloseParen);
    return parameters;
  });

  taskParameter: Rule<TaskParameterNode> = this.declareRule("taskParameter", () => {
    const start = this.start();
    const name = this.SUBRULE(this.name);
    this.CONSUME(Colon);
    const type = this.SUBRULE1(this.name);
    const currency: Name | undefined = this.OPTION(() => this.SUBRULE2(this.name));
    return { name, type, currency, span: this.closeSpan(start) };
  });

  taskAttribute: Rule<TaskAttribute> = this.declareRule("taskAttribute", () =>
    this.parseOneOf<TaskAttribute>([
      { ALT: () => this.SUBRULE(this.phase) },
      { ALT: () => this.SUBRULE(this.release) },
      { ALT: () => this.SUBRULE(this.documentedNarrowing) },
    ]),
  );

  phase: Rule<PhaseNode> = this.declareRule("phase", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("phase"));
    const name = this.SUBRULE(this.name);
    const after = this.OPTION(() => {
      this.CONSUME(getKeywordType("after"));
      return this.SUBRULE(this.gate);
    });
    const { elements: attributes, damaged } = this.block(this.documentedNarrowing);
    return { kind: "phase", name, doc, after, attributes, damaged, span: this.closeSpan(start) };
  });

  release: Rule<ReleaseNode> = this.declareRule("release", () => {
    const start = this.start();
    this.takeDocAt(start);
    const act = this.parseOneOf<ReleaseNode["act"]>([
      { ALT: () => this.takeKeyword("declassify") },
      { ALT: () => this.takeKeyword("endorse") },
    ]);
    const parts = [this.SUBRULE(this.name)];
    this.CONSUME(Dot);
    parts.push(this.SUBRULE(this.member));
    this.CONSUME(getKeywordType("from"));
    const from = this.SUBRULE(this.label);
    this.CONSUME(getKeywordType("to"));
    const to = this.SUBRULE1(this.label);
    this.CONSUME(getKeywordType("by"));
    const by = this.SUBRULE(this.gate);
    const session = this.OPTION(() => this.SUBRULE(this.subject));
    const because = this.SUBRULE(this.because);
    return this.ACTION(() => {
      const tool = this.joinParts(parts);
      return { kind: "release", act, tool, from, to, by, session, because, span: this.closeSpan(start) };
    });
  });

  worker: Rule<WorkerNode> = this.declareRule("worker", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("worker"));
    const name = this.SUBRULE(this.name);
    this.CONSUME(getKeywordType("in"));
    const session = this.SUBRULE(this.reference);
    const { elements: attributes, damaged } = this.block(this.documentedNarrowing);
    return { kind: "worker", name, doc, session, attributes, damaged, span: this.closeSpan(start) };
  });

  documentedNarrowing: Rule<Narrowing> = this.declareRule("documentedNarrowing", () => {
    this.takeDocAt(this.start());
    return this.SUBRULE(this.narrowing);
  });

  subject: Rule<ReturnType<typeof this.reference>> = this.declareRule("subject", () => {
    this.CONSUME(getKeywordType("for"));
    return this.SUBRULE(this.reference);
  });
}
