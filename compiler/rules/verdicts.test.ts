import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { isError } from "../../lang/diagnostics/index.ts";
import { type Example, examplesIn, findingsOf, foldersIn, saysWhatIsWritten } from "../dev/fixtures/examples.ts";
import { compilePage, renderFactsPage } from "../dev/fixtures/facts.ts";
import { INHERITED } from "../phases/bind/model/flows.ts";
import type { Proof, ProvenClaim } from "../phases/prove/index.ts";
import { isFailedProof, judge } from "./judge.ts";
import type { ProvenPolicy } from "./support/verdict.ts";
import { VERDICT_LAWS } from "./verdicts.ts";

const RULES = new URL("./verdicts/", import.meta.url);
const folders = foldersIn(RULES);
const named = (example: Example) => [`${example.folder}/${example.name}`, example] as const;
const good = examplesIn(RULES, "good").map(named);
const bad = examplesIn(RULES, "bad").map(named);

const codesOf = (folder: string) => [...new Set(VERDICT_LAWS[folder]?.reports.map(({ code }) => code))];
const codesIn = async (example: Example) => (await findingsOf(example)).map(({ code }) => code);
const ALL = folders.flatMap(codesOf);

test("each verdict has a folder with its files, and each folder has a verdict", () => {
  expect(folders).toEqual(Object.keys(VERDICT_LAWS).sort());
  for (const folder of folders) {
    const files = readdirSync(new URL(`${folder}/`, RULES));
    expect(files).toEqual(expect.arrayContaining(["README.md", "bad.cap", "codes.ts", "good.cap", "rule.ts"]));
  }
});

test.each(good)("%s is accepted, without a finding of this folder", async (_, example) => {
  expect((await findingsOf(example)).filter(isError)).toEqual([]);
  expect((await codesIn(example)).filter((code) => ALL.includes(code))).toEqual([]);
});

test.each(bad)(
  "%s breaks only the rule of its folder, and the findings have the text in the file beside it",
  async (_, example) => {
    const codes = (await codesIn(example)).filter((code) => ALL.includes(code));
    expect([...new Set(codes)]).toEqual(codesOf(example.folder));
    const errors = (await findingsOf(example)).filter(isError).map(({ code }) => code);
    expect(errors.filter((code) => !codes.includes(code))).toEqual([]);
    await saysWhatIsWritten(example, await findingsOf(example, codes));
  },
);

test.each([
  ["because the clearance of the session excludes the data", "clearance internal  permit { auto readOnly }"],
  ["although the service may return data above the clearance", "clearance secret  permit { auto readOnly }"],
])("data above the clearance of a backend does not reach the backend, %s", async (_, words) => {
  const text = renderFactsPage({
    services: "service notes : Files { state 1 MiB  label public/reviewed..secret/reviewed }",
    sessions: `session operator { kind operator  models { auto canned }  ${words} }`,
    top: "assert never flow internal to canned",
  });
  expect((await compilePage(text)).diagnostics.filter(isError)).toEqual([]);
});

test("internal data goes to a later backend with more clearance, not to the first backend with mode auto", async () => {
  const text = renderFactsPage({
    services: "service notes : Files { state 1 MiB  label internal/reviewed }",
    backends: "backend canned { stub }  backend spare { stub  clearance internal }",
    sessions: `session operator { kind operator  clearance internal  models { auto canned  auto spare }
                 permit { auto readOnly } }`,
    top: "assert never flow internal to canned",
  });
  expect((await compilePage(text)).diagnostics).toEqual([]);
});

test("no backend is reported as unused if conversations have too many labels to search", async () => {
  const names = Array.from({ length: 17 }, (_, index) => `c${index}`);
  const others = (name: string) => names.filter((one) => one !== name).join(", ");
  const text = renderFactsPage({
    top: `compartments { ${names.join(", ")} }  assert never call Files.write`,
    services: names.map((name) => `service ${name} : Files { state 1 MiB  label secret:{${name}} }`).join("\n"),
    // Only the last backend has the clearance for a conversation that has read data of all compartments.
    backends: [
      ...names.map((name) => `backend b${name} { stub  clearance secret:{${others(name)}} }`),
      `backend last { stub  clearance secret:{${names.join(", ")}} }`,
    ].join("\n"),
    sessions: `session operator { kind operator  clearance secret:{${names.join(", ")}}
      models { ${names.map((name) => `auto b${name}`).join("  ")}  auto last }  permit { auto readOnly } }`,
  });
  const codes = (await compilePage(text)).diagnostics.map(({ code }) => code);
  expect(codes).toContain("proof-undetermined");
  expect(codes).not.toContain("backend-unreachable");
});

/** Returns a page without assertions, with `results` as its proofs. */
async function provenWith(results: readonly Proof[]): Promise<ProvenPolicy> {
  const { policy, origins, model, proofs } = await compilePage(renderFactsPage({}));
  if (policy === undefined || origins === undefined || model === undefined || proofs === undefined)
    throw new Error("the page is lawful");
  return { policy, origins, model, proofs: { ...proofs, results } };
}

const SESSION = { session: "operator", task: "", steps: [] };

function failed(claim: ProvenClaim, verdict: Proof["verdict"]): Proof {
  const inherited = claim.kind === "inherited" ? claim.assertion : undefined;
  const at = verdict.kind === "refuted" ? { session: SESSION.session } : undefined;
  return { words: "something", claim, subject: undefined, span: undefined, inherited, verdict, ...(at && { at }) };
}

const refutedVerdict: Proof["verdict"] = { kind: "refuted", witness: { conversations: [SESSION] }, sentence: "it is" };

test("each refuted inherited assertion causes one finding, at its session", async () => {
  const results = INHERITED.map((assertion) => failed({ kind: "inherited", assertion }, refutedVerdict));
  const proven = await provenWith(results);
  const found = judge(proven);
  expect(found.map(({ code }) => code).sort()).toEqual([
    ...Array.from({ length: INHERITED.length - 3 }, () => "assertion-refuted"),
    "flow-leak",
    "ungated-exit",
    "ungated-exit",
  ]);
  for (const one of found) {
    expect(one.span).toBe(proven.origins.sessions.get("operator"));
    expect(one.message).toBe("`something` does not hold: it is");
    expect(one.help).toContain("waive the assertion, with a reason: `waive ");
    expect(isFailedProof(one)).toBe(true);
  }
});

test("an undetermined proof causes a finding for any claim, and a proved one causes none", async () => {
  const claim: ProvenClaim = { kind: "never-trifecta" };
  const proved = {
    kind: "proved",
    sentence: "Holds.",
    releases: [],
    uncounted: [],
    offline: [],
    isVacuous: false,
    isUnlabelled: false,
    ignoresReleases: false,
    states: 1,
    merged: 1,
  } as const;
  const proven = await provenWith([
    failed(claim, { kind: "undetermined", reason: "too much" }),
    failed(claim, proved),
    failed({ kind: "inherited", assertion: "trifecta" }, { kind: "undetermined", reason: "too much" }),
  ]);
  expect(judge(proven).map(({ code, message }) => [code, message])).toEqual([
    ["proof-undetermined", "`something` is neither proved nor refuted: too much"],
    ["proof-undetermined", "`something` is neither proved nor refuted: too much"],
  ]);
});

test("if a backend breaks an inherited assertion, the finding is at the backend", async () => {
  const claim: ProvenClaim = { kind: "inherited", assertion: "remote-clearance" };
  const proven = await provenWith([
    { ...failed(claim, refutedVerdict), at: { backend: "canned", session: "operator" } },
  ]);
  expect(judge(proven).map(({ span }) => span)).toEqual([proven.origins.backends.get("canned")]);
});
