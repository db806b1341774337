import type { AssertNode, Claim } from "../../tree/index.ts";
import type { Rule } from "./reading.ts";
import { SetGrammar } from "./sets.ts";
import { getKeywordType } from "./token-types.ts";

export class AssertionGrammar extends SetGrammar {
  assertion: Rule<AssertNode> = this.declareRule("assertion", () => {
    const start = this.start();
    this.takeDocAt(start);
    this.CONSUME(getKeywordType("assert"));
    const claim = this.parseOneOf<Claim>([
      {
        ALT: () => {
          this.CONSUME(getKeywordType("never"));
          return this.SUBRULE(this.never);
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("always"));
          const mode = this.SUBRULE(this.mode);
          const patterns = this.SUBRULE(this.patterns);
          const directly = this.OPTION2(() => this.CONSUME(getKeywordType("directly"))) !== undefined;
          return { kind: "always", mode, patterns, directly };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("limit"));
          return { kind: "limit", quota: this.SUBRULE(this.quotaEntry) };
        },
      },
    ]);
    const subject = this.OPTION(() => this.SUBRULE(this.subject));
    const without = this.OPTION1(() => {
      this.CONSUME(getKeywordType("without"));
      return this.CONSUME(getKeywordType("releases"));
    });
    const withoutReleases = without !== undefined;
    return { kind: "assert", claim, subject, withoutReleases, span: this.closeSpan(start) };
  });

  never: Rule<Claim> = this.declareRule("never", () =>
    this.parseOneOf<Claim>([
      {
        ALT: () => {
          this.CONSUME(getKeywordType("flow"));
          const label = this.SUBRULE(this.label);
          this.CONSUME(getKeywordType("to"));
          return { kind: "never-flow", label, to: this.SUBRULE(this.reference) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("trifecta"));
          return { kind: "never-trifecta" };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("call"));
          const patterns = this.SUBRULE(this.patterns);
          const ungated = this.OPTION(() => this.CONSUME(getKeywordType("ungated"))) !== undefined;
          const directly = this.OPTION1(() => this.CONSUME(getKeywordType("directly"))) !== undefined;
          return { kind: "never-call", patterns, ungated, directly };
        },
      },
    ]),
  );
}
