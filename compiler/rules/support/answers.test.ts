import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { type Answer, isCovered, resolveSessions } from "../../phases/policy/index.ts";
import { createAnswerLookup, createSessionAnswers, findUsedServices, isGate } from "./answers.ts";
import type { Page } from "./law.ts";

test("createAnswerLookup returns the decision of a tool, or undefined for a tool of another page", async () => {
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

test("a rule covers a tool that it forbids, but not a tool that is suppressed, that no rule names, or that does not exist", async () => {
  const model = await bindModel(
    renderFactsPage({ permit: "forbidden notes.list  auto notes.read } suppress notes.read quota { 1 calls per turn" }),
  );
  const session = model.sessions.find(({ own }) => own);
  const answers: readonly Answer[] = (session && resolveSessions(model).get(session)) ?? [];
  expect([...answers, undefined].map(isCovered)).toEqual([false, true, false, false, false]);
});

test("`isGate` is true for exactly the modes in which a person decides", () => {
  expect((["auto", "consent", "stepUp", "forbidden"] as const).filter(isGate)).toEqual(["consent", "stepUp"]);
});

async function readPage(text: string): Promise<Page> {
  const model = await bindModel(text);
  return { model, resolution: resolveSessions(model), trees: [], provided: new Map(), today: "2026-01-01" };
}

test("a session has a decision for each tool, and a session whose rules are not resolved has none", async () => {
  const page = await readPage(renderFactsPage({ permit: "auto notes.list  consent notes.read" }));
  const [session] = page.model.sessions.filter(({ own }) => own);
  if (session === undefined) throw new Error("the page has a session");
  const modes = (of: Page) =>
    of.model.tools.map(createSessionAnswers(of, session)).map((answer) => answer?.clauses.map(({ met }) => met));
  expect(modes(page)).toEqual([[], ["auto"], ["consent"], []]);
  expect(modes({ ...page, resolution: new Map() })).toEqual([undefined, undefined, undefined, undefined]);
});

test("a service is used if a session may use one of its tools, or if another service has a grant of it", async () => {
  const page = await readPage(
    renderFactsPage({
      services: `service inbox : Files { state 1 MiB }  service held : Files { state 1 MiB }  service idle : Files { state 1 MiB }
        service denied : Files { state 1 MiB }  service hidden : Files { state 1 MiB }
        service changes : PatchSets { state 64 KiB  grant held }  service plans : ActionPlans { grant robots }`,
      sessions: `session operator { kind operator  models { auto canned }
          permit { consent plans.submit  forbidden denied.read  auto hidden.read } suppress hidden.read }
        session robots { kind service  permit { auto inbox.read }  quota { 100 calls per hour  12 prompts per hour } }`,
    }),
  );
  expect([...findUsedServices(page)].sort()).toEqual(["held", "inbox", "plans"]);
  expect([...findUsedServices({ ...page, resolution: new Map() })]).toEqual(["held"]);
});
