import { expect, test } from "vitest";
import { isError } from "../../../lang/diagnostics/index.ts";
import { compile } from "../../compile.ts";
import { ALICE, bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { stripMarks } from "../../dev/fixtures/marks.ts";
import { testSurroundings } from "../../dev/fixtures/surroundings.ts";
import { createMemoryHost } from "../source/index.ts";
import type { Model } from "./index.ts";

const SESSIONS = `session operator { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal } }
  abstract session base { kind guest  models { auto canned }  permit { auto readOnly } }
  session spare extends base {}
  session night extends operator {}`;
const whole = (top: string, rest = SESSIONS) => renderFactsPage({ top, sessions: rest });

/** Checks a page, but does not report settings that the image does not support yet. */
async function checked(text: string) {
  const host = createMemoryHost({ "/system.cap": text, "/keys/alice.pub": ALICE, "/replies.json": "[]" }, "2026-01-01");
  const { model, diagnostics } = await compile(host, "/system.cap", { ...testSurroundings, purpose: "check" });
  return { model, errors: diagnostics.filter(isError) };
}

/** Returns the model of a page with a session that names its backends. */
async function bound(top: string, models = "auto canned"): Promise<Model> {
  const { model, errors } = await checked(whole(top, SESSIONS.replace("auto canned", models)));
  expect(errors.map(({ message }) => message)).toEqual([]);
  if (model === undefined) throw new Error("neither a model nor an error");
  return model;
}

test.each([
  ["unknown-name", "a task in an unknown session", "task t in «operatr» { only readOnly }"],
  [
    "duplicate-name",
    "two tasks with one name",
    "task t in operator { only readOnly }  task «t» in operator { only readOnly }",
  ],
  [
    "duplicate-name",
    "a task with the name of an inherited one",
    "task t in operator { only readOnly }  task «t» in night { only readOnly }",
  ],
  [
    "duplicate-name",
    "two phases with one name",
    "task t in operator { phase p { only readOnly }  phase «p» { only readOnly } }",
  ],
  ["rule-never-matches", "an unknown tool in a phase", "task t in operator { phase p { only «notes.wrte» } }"],
  [
    "wrong-word",
    "a quota with an unknown scope in a task",
    "task t in operator { only readOnly  quota { 3 calls per «week» } }",
  ],
  ["wrong-word", "an unknown scope of `remember`", "task t in operator { only readOnly  remember «always» }"],
  ["unknown-name", "a worker in an unknown session", "worker w in «nowhere» { only readOnly }"],
  [
    "duplicate-name",
    "two workers with one name",
    "worker w in operator { only readOnly }  worker «w» in night { only readOnly }",
  ],
  ["wrong-word", "an ingress with an unknown source", "ingress i : «pigeon» into operator label public"],
  ["abstract-session", "an ingress into an abstract session", "ingress i : mail into «base» label public"],
  [
    "abstract-session",
    "an assertion for an abstract session",
    "abstract session idle { kind guest }  assert never call destructive for «idle»",
  ],
  [
    "abstract-session",
    "a waiver for an abstract session",
    'abstract session idle { kind guest }  waive trifecta for «idle» because "x"',
  ],
  ["unknown-name", "an ingress with an unknown level", "ingress i : mail into operator label «publik»"],
  [
    "rule-never-matches",
    "a release of an unknown tool",
    'declassify «notes.wrte» from secret to public by consent because "x"',
  ],
  [
    "unknown-name",
    "a release for an unknown session",
    'declassify notes.write from secret to public by consent for «nobody» because "x"',
  ],
  [
    "unknown-name",
    "a release to an unknown level",
    'endorse notes.write from public to public/«trusted» by consent because "x"',
  ],
  ["wrong-word", "a waiver of an unknown assertion", 'waive «trifect» because "x"'],
  ["unknown-name", "an assertion about an unknown backend", "assert never flow secret to «canne»"],
  ["unknown-name", "an assertion for an unknown session", "assert never trifecta for «nobody»"],
  ["unknown-name", "an assertion about an unknown category", "assert never call «destructiv»"],
  ["unknown-name", "an assertion about an unknown unit", "assert limit 3 «promts» per turn"],
  [
    "unknown-name",
    "a test in an unknown session",
    'test "x" { as «nobody» call notes.read { path: "a" } expect auto }',
  ],
  ["unknown-name", "a test of an unknown tool", 'test "x" { as operator call «notes.reed» { path: "a" } expect auto }'],
  ["unknown-name", "a test of an unknown backend", 'test "x" { as operator infer «canne» expect auto }'],
  [
    "wrong-word",
    "a test that expects an unknown outcome",
    'test "x" { as operator call notes.read { path: "a" } expect «allowed» }',
  ],
  [
    "wrong-word",
    "a test with an unknown answer",
    'test "x" { as operator call notes.read { path: "a" } answer «maybe» expect ok }',
  ],
  ["unknown-name", "a backend with an unknown model", "backend other { cpu  model «smol» }"],
  ["duplicate-name", "two models with one name", "model m { tools true }  model «m» { tools true }"],
  ["wrong-unit", "a context in bytes", "model m { context 4 «KiB» }"],
  ["wrong-unit", "a share with a wrong unit", "model m { accept 85 «tokens» }"],
  ["wrong-amount", "half a thread", "backend other { cpu  threads «0.5» }"],
  ["wrong-word", "an unknown kind of address", "network { address «dchp» }"],
])("%s: %s", async (code, _, top) => {
  const { text, spans } = stripMarks(whole(top));
  const { errors } = await checked(text);
  const found = errors.filter((error) => error.code === code);
  expect(found.map(({ span }) => ({ start: span.start, end: span.end }))).toEqual(spans);
});

test("ruling 21: an unknown session of a task causes one message, even if other declarations name the task", async () => {
  const { errors } = await checked(
    whole('task t in operatr { only readOnly }  test "x" { as t }  worker w in t { only readOnly }'),
  );
  expect(errors.map(({ message }) => message)).toEqual(["there is no session named `operatr`"]);
});

test("ruling 19: a task can be named alone, with its session, or with a session that extends its session", async () => {
  const steps = "triage operator.triage night.triage".split(" ").map((who) => `as ${who}`);
  const { tests } = await bound(`task triage in operator { only readOnly }  test "x" { ${steps.join(" ")} }`);
  const named = tests[0]?.steps.map((step) => step.kind === "as" && [step.who.kind, step.who.session.id]);
  expect(named).toEqual([
    ["task", "operator"],
    ["task", "operator"],
    ["task", "night"],
  ]);
});

test("ruling 16: amounts are exact integers of the smallest unit, and money is counted in millionths", async () => {
  const { backends } = await bound(
    "backend other { stub  quota { 5.25 USD per day  200k tokens per hour  1.5 KiB per call } }",
    "auto other",
  );
  const quotas = backends.find(({ name }) => name === "other")?.quotas;
  expect(quotas?.map(({ amount, unit, name }) => `${amount} ${unit} ${name}`)).toEqual([
    "5250000 money USD",
    "200000 tokens ",
    "1536 bytes ",
  ]);
});

test("a backend is bound with its provider, model, token name and other settings", async () => {
  const { backends, weights } = await bound(
    `model smol { weights "smol.gguf"  arch llama  context 4096 tokens  tools true  accept 85 percent }
    model mini { served "gpt-4o-mini"  price 0.15 USD, 0.6 USD }  model even { served "b"  price 2 EUR }
    backend far { remote openai "https://llm.example.net"  model mini  token vault.far  log required }
    backend near { cpu  model smol  threads 2  memory 512 MiB }`,
    "consent far  auto near",
  );
  expect(weights.slice(1).map(({ served, price }) => [served, price])).toEqual([
    ["gpt-4o-mini", { currency: "USD", inputMicros: 150_000n, outputMicros: 600_000n }],
    ["b", { currency: "EUR", inputMicros: 2_000_000n, outputMicros: 2_000_000n }],
  ]);
  expect(weights[0]).toMatchObject({ contextTokens: 4096, acceptPercent: 85, tools: true, arch: "llama" });
  expect(backends.find(({ name }) => name === "far")).toMatchObject({
    kind: "remote",
    provider: { name: "openai", address: "https://llm.example.net" },
    token: "vault.far",
    logRequired: true,
  });
  expect(backends.find(({ name }) => name === "near")).toMatchObject({
    kind: "cpu",
    model: { name: "smol" },
    threads: 2,
    memoryBytes: 536_870_912n,
  });
});

test("ruling 11: a service reaches the network by its own grant or through other services, at any depth", async () => {
  const text = renderFactsPage({
    sessions: SESSIONS,
    services: `service notes : Files { state 1 MiB  grant relay }  service relay : Logs { grant drafts }
      service drafts : Logs { grant HttpEndpoint scope "https://a.example" }  service alone : Logs {}`,
  });
  const { model } = await checked(text);
  expect(model?.services.filter(({ networked }) => networked).map(({ name }) => name)).toEqual([
    "notes",
    "relay",
    "drafts",
  ]);
});

test("every kind of assertion is bound, and stored as canonical text", async () => {
  const claims = [
    "assert never flow secret to canned without releases",
    "assert never flow secret to Files for night",
    "assert never trifecta",
    "assert never call destructive, notes.* ungated directly for operator",
    "assert always stepUp destructive directly",
    "assert limit 2 prompts per turn",
  ];
  // This test only binds the assertions; other tests check whether assertions hold.
  const { assertions } = await bindModel(whole(claims.join("\n"), SESSIONS));
  expect(assertions.map(({ words }) => words)).toEqual(claims);
  expect(assertions.map(({ claim }) => claim.kind)).toEqual([
    "never-flow",
    "never-flow",
    "never-trifecta",
    "never-call",
    "always",
    "limit",
  ]);
});
