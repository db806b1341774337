import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { type Answer, isCovered, resolveSessions } from "../../phases/policy/index.ts";
import { createAnswerLookup, isGate } from "./answers.ts";

test("answers are asked by tool, and of a tool of another page there is none", async () => {
  const text = renderFactsPage({ permit: "auto notes.list  consent notes.read" });
  const [model, other] = [await bindModel(text), await bindModel(text)];
  const session = model.sessions.find(({ own }) => own);
  const answers = session && resolveSessions(model).get(session);
  const modes = (of: typeof model) =>
    of.tools.map(createAnswerLookup(model, answers)).map((answer) => answer && (answer.clauses[0]?.met ?? "uncovered"));
  expect(modes(model)).toEqual(["uncovered", "auto", "consent", "uncovered"]);
  expect(modes(other)).toEqual([undefined, undefined, undefined, undefined]);
  expect(model.tools.map(createAnswerLookup(model, undefined))).toEqual([undefined, undefined, undefined, undefined]);
});

test("what is forbidden is covered; what is suppressed, unspoken of or not there is not", async () => {
  const model = await bindModel(
    renderFactsPage({ permit: "forbidden notes.list  auto notes.read } suppress notes.read quota { 1 calls per turn" }),
  );
  const session = model.sessions.find(({ own }) => own);
  const answers: readonly Answer[] = (session && resolveSessions(model).get(session)) ?? [];
  expect([...answers, undefined].map(isCovered)).toEqual([false, true, false, false, false]);
});

test("the modes that ask a person are gates", () => {
  expect((["auto", "consent", "stepUp", "forbidden"] as const).filter(isGate)).toEqual(["consent", "stepUp"]);
});
