import type { AssertNode, Claim } from "../../tree/index.ts";
import { FlowGrammar } from "./flows.ts";
import type { Rule } from "./reading.ts";
import { word } from "./token-types.ts";

export class AssertionGrammar extends FlowGrammar {
  assertion: Rule<AssertNode> = this.rule("assertion", () => {
    const start = this.start();
    this.docAt(start);
    this.CONSUME(word("assert"));
    const claim = this.oneOf<Claim>([
      {
        ALT: () => {
          this.CONSUME(word("never"));
          return this.SUBRULE(this.never);
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("always"));
          const mode = this.SUBRULE(this.mode);
          return { kind: "always", mode, patterns: this.SUBRULE(this.patterns) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("limit"));
          return { kind: "limit", quota: this.SUBRULE(this.quotaEntry) };
        },
      },
    ]);
    const subject = this.OPTION(() => this.SUBRULE(this.subject));
    const without = this.OPTION1(() => {
      this.CONSUME(word("without"));
      return this.CONSUME(word("releases"));
    });
    const withoutReleases = without !== undefined;
    return { kind: "assert", claim, subject, withoutReleases, span: this.since(start) };
  });

  never: Rule<Claim> = this.rule("never", () =>
    this.oneOf<Claim>([
      {
        ALT: () => {
          this.CONSUME(word("flow"));
          const label = this.SUBRULE(this.label);
          this.CONSUME(word("to"));
          return { kind: "never-flow", label, to: this.SUBRULE(this.reference) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("trifecta"));
          return { kind: "never-trifecta" };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word("call"));
          const patterns = this.SUBRULE(this.patterns);
          const ungated = this.OPTION(() => this.CONSUME(word("ungated"))) !== undefined;
          return { kind: "never-call", patterns, ungated };
        },
      },
    ]),
  );
}
