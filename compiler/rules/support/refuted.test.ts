import { expect, test } from "vitest";
import { compilePage, renderFactsPage } from "../../dev/fixtures/facts.ts";
import type { Proof, ProvenClaim, Verdict } from "../../phases/prove/index.ts";
import { describeHelp, describeRefutation, findRefuted, placeOf } from "./refuted.ts";
import type { ProvenPolicy } from "./verdict.ts";

const ASSERTED = renderFactsPage({
  rest: `assert never call destructive
  storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
});

async function provePage(text = ASSERTED): Promise<ProvenPolicy> {
  const { policy, origins, model, proofs } = await compilePage(text);
  if (policy === undefined || origins === undefined || model === undefined || proofs === undefined)
    throw new Error("the page is lawful");
  return { policy, origins, model, proofs };
}

const CLAIM: ProvenClaim = { kind: "never-trifecta" };
const SENTENCE = "a call of `notes.delete` runs";
const REFUTED: Verdict = {
  kind: "refuted",
  sentence: SENTENCE,
  witness: {
    conversations: [
      { session: "operator", task: "", steps: [] },
      { session: "operator", task: "mend", steps: [] },
    ],
  },
};

function createProof(parts: Partial<Proof>): Proof {
  return {
    words: "never trifecta",
    claim: CLAIM,
    subject: undefined,
    span: undefined,
    inherited: undefined,
    verdict: REFUTED,
    ...parts,
  };
}

test("findRefuted returns the refuted proofs of the selected kinds of assertions, and no other proofs", async () => {
  const proven = await provePage();
  const inherited: ProvenClaim = { kind: "inherited", assertion: "trifecta" };
  const results = [
    createProof({ words: "one" }),
    createProof({ words: "two", verdict: { kind: "undetermined", reason: "too much" } }),
    createProof({ words: "three", claim: inherited, inherited: "trifecta" }),
  ];
  const find = (spoken: (claim: ProvenClaim) => boolean) =>
    findRefuted({ ...proven, proofs: { ...proven.proofs, results } }, spoken).map(({ facts }) => facts.words);
  expect(find(() => true)).toEqual(["one", "three"]);
  expect(find(({ kind }) => kind === "inherited")).toEqual(["three"]);
  expect(find(() => false)).toEqual([]);
});

test("the facts of a refutation contain the prover's sentence, the assertion, and one line for each conversation", async () => {
  const proven = await provePage();
  const results = [createProof({})];
  expect(findRefuted({ ...proven, proofs: { ...proven.proofs, results } }, () => true)[0]?.facts).toEqual({
    sentence: SENTENCE,
    words: "never trifecta",
    inherited: undefined,
    story: "1. a conversation in operator\n2. a conversation in operator, in the task mend",
  });
});

const FACTS = { sentence: SENTENCE, words: "never trifecta", story: "1. a conversation in operator" };

test("the default message quotes the assertion and contains the prover's sentence", () => {
  expect(describeRefutation({ ...FACTS, inherited: undefined })).toBe(
    "`never trifecta` does not hold: a call of `notes.delete` runs",
  );
});

test("the help shows the conversations, and explains how to waive an inherited assertion", () => {
  const help =
    "this can happen if a person approves every question; to prevent it, forbid one of these steps\n1. a conversation in operator";
  expect(describeHelp({ ...FACTS, inherited: undefined })).toBe(help);
  expect(describeHelp({ ...FACTS, inherited: "trifecta" })).toBe(
    `${help}\nor waive the assertion, with a reason: \`waive trifecta because "…"\``,
  );
});

test("an assertion of the page is reported at its own line", async () => {
  const proven = await provePage();
  const [assertion] = proven.model.assertions;
  const span = assertion?.node.span;
  expect(span).toBeDefined();
  expect(placeOf(proven, createProof({ ...(span && { span }) }))).toBe(span);
});

test("an inherited assertion is reported at its backend, its session, or the system's name, but not at a line", async () => {
  const proven = await provePage();
  const { origins, model } = proven;
  const place = (parts: Partial<Proof>) => placeOf(proven, createProof({ inherited: "trifecta", ...parts }));
  const [backend, session] = [origins.backends.get("canned"), origins.sessions.get("operator")];
  expect(backend).toBeDefined();
  expect(session).toBeDefined();
  expect(place({ at: { backend: "canned", session: "operator" } })).toBe(backend);
  expect(place({ at: { session: "operator" } })).toBe(session);
  expect(place({ at: { backend: "another", session: "operator" } })).toBe(session);
  expect(place({})).toBe(model.system?.name.span);
  const span = model.assertions[0]?.node.span;
  expect(place({ at: { session: "operator" }, ...(span && { span }) })).toBe(session);
});

test("placeOf throws for a proof of a page without a system", async () => {
  const proven = await provePage();
  const nameless = { ...proven, model: { ...proven.model, system: undefined } };
  expect(() => placeOf(nameless, createProof({}))).toThrow("a page without a system was proved");
});
