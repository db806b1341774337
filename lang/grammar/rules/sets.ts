import type { LetNode } from "../../tree/index.ts";
import { FlowGrammar } from "./flows.ts";
import type { Rule } from "./reading.ts";
import { Assign, getKeywordType } from "./token-types.ts";

/** Parses declarations of sets of values, which conditions can name. */
export class SetGrammar extends FlowGrammar {
  namedSet: Rule<LetNode> = this.declareRule("namedSet", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("let"));
    const name = this.SUBRULE(this.name);
    this.CONSUME(Assign);
    const literals = this.SUBRULE(this.literals);
    return { kind: "let", name, doc, literals, damaged: false, span: this.closeSpan(start) };
  });
}
