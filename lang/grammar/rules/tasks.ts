import type { Narrowing, PhaseNode, TaskNode, WorkerNode } from "../../tree/index.ts";
import type { Rule } from "./reading.ts";
import { SessionGrammar } from "./sessions.ts";
import { getKeywordType } from "./token-types.ts";

export class TaskGrammar extends SessionGrammar {
  task: Rule<TaskNode> = this.declareRule("task", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("task"));
    const name = this.SUBRULE(this.name);
    this.CONSUME(getKeywordType("in"));
    const session = this.SUBRULE(this.reference);
    const { elements: attributes, damaged } = this.block(this.taskAttribute);
    return { kind: "task", name, doc, session, attributes, damaged, span: this.closeSpan(start) };
  });

  taskAttribute: Rule<Narrowing | PhaseNode> = this.declareRule("taskAttribute", () =>
    this.parseOneOf<Narrowing | PhaseNode>([
      { ALT: () => this.SUBRULE(this.phase) },
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
}
