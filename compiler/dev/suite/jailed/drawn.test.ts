import { expect, test } from "vitest";
import type { Notice, Question } from "../../../../engine/lib/wire/generated/wire.ts";
import type { ConsoleOutput } from "../../in-process/fake-console.ts";
import { splitStretches } from "./drawn.ts";

const text = (speaker: "runner" | "model", words: string): ConsoleOutput => ({ what: "text", speaker, text: words });

const called: Notice = {
  tool: "notes.write",
  arguments: "{}",
  mode: "consent",
  stage: "finished",
  outcome: "ok",
  detail: "once",
  hasMode: true,
  result: "a\nb",
};

const asked: Question = {
  tool: "notes.write",
  arguments: "{}",
  sentence: "",
  mode: "consent",
  rule: "",
  timeoutMs: 0,
  challenge: "",
  mayRemember: false,
  remembers: "",
  isLogin: false,
  passphrase: { salt: new Uint8Array(), newSalt: new Uint8Array() },
};

test("output is split after each question, texts of one speaker are joined, and each call has its own line", () => {
  const drawn: readonly ConsoleOutput[] = [
    text("model", "I wr"),
    text("model", "ite.\nNow"),
    { what: "notice", notice: { ...called, stage: "proposed" } },
    { what: "question", question: asked },
    { what: "notice", notice: called },
    text("model", "Done."),
    text("runner", "stopped\n"),
  ];
  expect(splitStretches(drawn)).toEqual([
    ["agent> I write.", "  Now", "* notes.write {}"],
    ["[tool] notes.write {} consent → ok (once): a b", "agent> Done.", "loop> stopped"],
  ]);
});
