import type { GivenNode, Json, JsonField, Name, RehearsalNode, Step } from "../../tree/index.ts";
import { AssertionGrammar } from "./assertions.ts";
import type { Rule } from "./reading.ts";
import {
  CloseBrace,
  CloseBracket,
  CloseParen,
  Colon,
  Comma,
  Dot,
  getKeywordType,
  OpenBrace,
  OpenBracket,
  OpenParen,
} from "./token-types.ts";

/** `test "…" { … }`: conversations that are tested against the tables. */
export class RehearsalGrammar extends AssertionGrammar {
  rehearsal: Rule<RehearsalNode> = this.declareRule("rehearsal", () => {
    const start = this.start();
    this.takeDocAt(start);
    this.CONSUME(getKeywordType("test"));
    const title = this.SUBRULE(this.words);
    const { elements: steps } = this.block(this.step);
    return { kind: "test", title, steps, span: this.closeSpan(start) };
  });

  step: Rule<Step> = this.declareRule("step", () =>
    this.parseOneOf<Step>([
      { ALT: () => this.SUBRULE(this.asStep) },
      { ALT: () => this.SUBRULE(this.sayStep) },
      { ALT: () => this.SUBRULE(this.enterStep) },
      { ALT: () => this.SUBRULE(this.callStep) },
    ]),
  );

  asStep: Rule<Step> = this.declareRule("asStep", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("as"));
    const who = this.SUBRULE(this.reference);
    const given = this.OPTION1(() => this.SUBRULE(this.givenList)) ?? [];
    const unattended = this.OPTION(() => this.CONSUME(getKeywordType("unattended"))) !== undefined;
    return { kind: "as", who, given, unattended, span: this.closeSpan(start) };
  });

  givenList: Rule<GivenNode[]> = this.declareRule("givenList", () => {
    const given: GivenNode[] = [];
    this.CONSUME(OpenParen);
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => given.push(this.SUBRULE(this.given)) });
    this.CONSUME(CloseParen);
    return given;
  });

  given: Rule<GivenNode> = this.declareRule("given", () => {
    const start = this.start();
    const name = this.SUBRULE(this.name);
    this.CONSUME(Colon);
    const value = this.SUBRULE(this.literal);
    return { name, value, span: this.closeSpan(start) };
  });

  sayStep: Rule<Step> = this.declareRule("sayStep", () => {
    const start = this.start();
    const kind = this.parseOneOf<"say" | "paste">([
      { ALT: () => this.takeKeyword("say") },
      { ALT: () => this.takeKeyword("paste") },
    ]);
    return { kind, text: this.SUBRULE(this.words), span: this.closeSpan(start) };
  });

  enterStep: Rule<Step> = this.declareRule("enterStep", () => {
    const start = this.start();
    const kind = this.parseOneOf<"enter" | "infer">([
      { ALT: () => this.takeKeyword("enter") },
      { ALT: () => this.takeKeyword("infer") },
    ]);
    const name = this.SUBRULE(this.name);
    const answer = this.SUBRULE(this.answer);
    const expect = this.SUBRULE(this.expect);
    return { kind, name, answer, expect, span: this.closeSpan(start) };
  });

  callStep: Rule<Step> = this.declareRule("callStep", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("call"));
    const parts = [this.SUBRULE(this.name)];
    this.CONSUME(Dot);
    parts.push(this.SUBRULE(this.member));
    const given = this.SUBRULE(this.record);
    const returning = this.OPTION(() => {
      this.CONSUME(getKeywordType("returning"));
      return this.SUBRULE(this.label);
    });
    const giving = this.OPTION1(() => {
      this.CONSUME(getKeywordType("giving"));
      return this.SUBRULE(this.json);
    });
    const answer = this.SUBRULE(this.answer);
    const expect = this.SUBRULE(this.expect);
    return this.ACTION(() => {
      const tool = this.joinParts(parts);
      return { kind: "call", tool, arguments: given, returning, giving, answer, expect, span: this.closeSpan(start) };
    });
  });

  answer: Rule<Name | undefined> = this.declareRule("answer", () =>
    this.OPTION(() => {
      this.CONSUME(getKeywordType("answer"));
      return this.SUBRULE(this.name);
    }),
  );

  /** A mode or the name of an outcome. */
  expect: Rule<Name> = this.declareRule("expect", () => {
    this.CONSUME(getKeywordType("expect"));
    return this.parseOneOf<Name>([
      {
        ALT: () => {
          const { mode, span } = this.SUBRULE(this.mode);
          return { text: mode, span };
        },
      },
      { ALT: () => this.SUBRULE(this.name) },
    ]);
  });

  record: Rule<Json> = this.declareRule("record", () => {
    const fields: JsonField[] = [];
    this.CONSUME(OpenBrace);
    this.MANY_SEP({
      SEP: Comma,
      DEF: () => {
        const { text, span } = this.SUBRULE(this.member);
        this.CONSUME(Colon);
        fields.push({ name: text, value: this.SUBRULE(this.json), span });
      },
    });
    this.CONSUME(CloseBrace);
    return { kind: "record", fields };
  });

  list: Rule<Json> = this.declareRule("list", () => {
    const items: Json[] = [];
    this.CONSUME(OpenBracket);
    this.MANY_SEP({ SEP: Comma, DEF: () => items.push(this.SUBRULE(this.json)) });
    this.CONSUME(CloseBracket);
    return { kind: "list", items };
  });

  json: Rule<Json> = this.declareRule("json", () =>
    this.parseOneOf<Json>([
      { ALT: () => ({ kind: "text", value: this.SUBRULE(this.words) }) },
      { ALT: () => ({ kind: "number", value: this.SUBRULE(this.numeral) }) },
      { ALT: () => ({ kind: "boolean", value: this.SUBRULE(this.truth) }) },
      { ALT: () => ({ kind: this.takeKeyword("null") }) },
      { ALT: () => this.SUBRULE(this.record) },
      { ALT: () => this.SUBRULE(this.list) },
    ]),
  );
}
