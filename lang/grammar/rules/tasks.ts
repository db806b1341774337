import type { Narrowing, PhaseNode, TaskNode, WorkerNode } from "../../tree/index.ts";
import type { Rule } from "./reading.ts";
import { SessionGrammar } from "./sessions.ts";
import { word } from "./token-types.ts";

export class TaskGrammar extends SessionGrammar {
  task: Rule<TaskNode> = this.rule("task", () => {
    const start = this.start();
    const doc = this.docAt(start);
    this.CONSUME(word("task"));
    const name = this.SUBRULE(this.name);
    this.CONSUME(word("in"));
    const session = this.SUBRULE(this.reference);
    const { elements: attributes, damaged } = this.block(this.taskAttribute);
    return { kind: "task", name, doc, session, attributes, damaged, span: this.since(start) };
  });

  taskAttribute: Rule<Narrowing | PhaseNode> = this.rule("taskAttribute", () =>
    this.oneOf<Narrowing | PhaseNode>([
      { ALT: () => this.SUBRULE(this.phase) },
      { ALT: () => this.SUBRULE(this.documentedNarrowing) },
    ]),
  );

  phase: Rule<PhaseNode> = this.rule("phase", () => {
    const start = this.start();
    const doc = this.docAt(start);
    this.CONSUME(word("phase"));
    const name = this.SUBRULE(this.name);
    const after = this.OPTION(() => {
      this.CONSUME(word("after"));
      return this.SUBRULE(this.gate);
    });
    const { elements: attributes, damaged } = this.block(this.documentedNarrowing);
    return { kind: "phase", name, doc, after, attributes, damaged, span: this.since(start) };
  });

  worker: Rule<WorkerNode> = this.rule("worker", () => {
    const start = this.start();
    const doc = this.docAt(start);
    this.CONSUME(word("worker"));
    const name = this.SUBRULE(this.name);
    this.CONSUME(word("in"));
    const session = this.SUBRULE(this.reference);
    const { elements: attributes, damaged } = this.block(this.documentedNarrowing);
    return { kind: "worker", name, doc, session, attributes, damaged, span: this.since(start) };
  });

  documentedNarrowing: Rule<Narrowing> = this.rule("documentedNarrowing", () => {
    this.docAt(this.start());
    return this.SUBRULE(this.narrowing);
  });
}
