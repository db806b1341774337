import type { Json, Name, RehearsalNode, Step } from "../../tree/index.ts";
import { AssertionGrammar } from "./assertions.ts";
import type { Rule } from "./reading.ts";
import { CloseBrace, CloseBracket, Colon, Comma, Dot, OpenBrace, OpenBracket, word } from "./token-types.ts";

/** `test "…" { … }`: conversations rehearsed against the tables. */
export class RehearsalGrammar extends AssertionGrammar {
  rehearsal: Rule<RehearsalNode> = this.rule("rehearsal", () => {
    const start = this.start();
    this.docAt(start);
    this.CONSUME(word("test"));
    const title = this.SUBRULE(this.words);
    const { elements: steps } = this.block(this.step);
    return { kind: "test", title, steps, span: this.since(start) };
  });

  step: Rule<Step> = this.rule("step", () =>
    this.oneOf<Step>([
      { ALT: () => this.SUBRULE(this.asStep) },
      { ALT: () => this.SUBRULE(this.enterStep) },
      { ALT: () => this.SUBRULE(this.callStep) },
    ]),
  );

  asStep: Rule<Step> = this.rule("asStep", () => {
    const start = this.start();
    this.CONSUME(word("as"));
    const who = this.SUBRULE(this.reference);
    const unattended = this.OPTION(() => this.CONSUME(word("unattended"))) !== undefined;
    return { kind: "as", who, unattended, span: this.since(start) };
  });

  enterStep: Rule<Step> = this.rule("enterStep", () => {
    const start = this.start();
    const kind = this.oneOf<"enter" | "infer">([{ ALT: () => this.says("enter") }, { ALT: () => this.says("infer") }]);
    const name = this.SUBRULE(this.name);
    const answer = this.SUBRULE(this.answer);
    const expect = this.SUBRULE(this.expect);
    return { kind, name, answer, expect, span: this.since(start) };
  });

  callStep: Rule<Step> = this.rule("callStep", () => {
    const start = this.start();
    this.CONSUME(word("call"));
    const parts = [this.SUBRULE(this.name)];
    this.CONSUME(Dot);
    parts.push(this.SUBRULE(this.member));
    const given = this.SUBRULE(this.record);
    const returning = this.OPTION(() => {
      this.CONSUME(word("returning"));
      return this.SUBRULE(this.label);
    });
    const answer = this.SUBRULE(this.answer);
    const expect = this.SUBRULE(this.expect);
    return this.ACTION(() => {
      const tool = this.joined(parts);
      return { kind: "call", tool, arguments: given, returning, answer, expect, span: this.since(start) };
    });
  });

  answer: Rule<Name | undefined> = this.rule("answer", () =>
    this.OPTION(() => {
      this.CONSUME(word("answer"));
      return this.SUBRULE(this.name);
    }),
  );

  /** A mode or the name of an outcome. */
  expect: Rule<Name> = this.rule("expect", () => {
    this.CONSUME(word("expect"));
    return this.oneOf<Name>([
      {
        ALT: () => {
          const { mode, span } = this.SUBRULE(this.mode);
          return { text: mode, span };
        },
      },
      { ALT: () => this.SUBRULE(this.name) },
    ]);
  });

  record: Rule<Json> = this.rule("record", () => {
    const fields: { name: string; value: Json }[] = [];
    this.CONSUME(OpenBrace);
    this.MANY_SEP({
      SEP: Comma,
      DEF: () => {
        const { text } = this.SUBRULE(this.member);
        this.CONSUME(Colon);
        fields.push({ name: text, value: this.SUBRULE(this.json) });
      },
    });
    this.CONSUME(CloseBrace);
    return { kind: "record", fields };
  });

  list: Rule<Json> = this.rule("list", () => {
    const items: Json[] = [];
    this.CONSUME(OpenBracket);
    this.MANY_SEP({ SEP: Comma, DEF: () => items.push(this.SUBRULE(this.json)) });
    this.CONSUME(CloseBracket);
    return { kind: "list", items };
  });

  json: Rule<Json> = this.rule("json", () =>
    this.oneOf<Json>([
      { ALT: () => ({ kind: "text", value: this.SUBRULE(this.words) }) },
      { ALT: () => ({ kind: "number", value: this.SUBRULE(this.numeral) }) },
      { ALT: () => ({ kind: "boolean", value: this.SUBRULE(this.truth) }) },
      { ALT: () => ({ kind: this.says("null") }) },
      { ALT: () => this.SUBRULE(this.record) },
      { ALT: () => this.SUBRULE(this.list) },
    ]),
  );
}
