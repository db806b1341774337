// Each test has a page for one rule about the meaning of proofs, with the shortest counterexamples to its assertions.
import { expect, test } from "vitest";
import type { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { foundOn, provenPage } from "./testing/render-proofs.ts";

const LOCAL = "backend b0 { stub clearance secret }";
const FAR = `backend far { remote openai "https://llm.example" clearance internal }`;
const DAY = "session day { kind operator  clearance secret  models { auto b0 }";
/**
 * A page with a secret store that has a grant of a public store. The session `day` writes to the secret store, and the
 * session `night` reads from the public one.
 */
const CONNECTED = `service t : Store { label public/reviewed }  service s : Store { label secret/reviewed  grant t }
     ${DAY} starts secret/reviewed  permit { auto s.put } }
     session night { kind operator  models { auto b0 }  permit { auto t.look } }`;

const RULES: Readonly<Record<string, readonly [page: string, ...found: string[]]>> = {
  "what was read is told to the backend, behind its gate where it has one": [
    `${LOCAL} backend b1 { stub clearance secret }
     service s : Store { label secret/reviewed }
     session day { kind operator  clearance secret  models { consent b1  auto b0 }  permit { auto readOnly } }
     assert never flow secret to b0
     assert never flow secret to b1
     assert never flow secret/untrusted to b0`,
    "day: s.look auto → secret/reviewed, infer b0 auto",
    "day: s.look auto → secret/reviewed, infer b1 consent",
    "proved",
  ],
  "a backend behind one that always answers is never told": [
    `${LOCAL} ${FAR}
     service s : Store { label internal/reviewed }
     session day { kind operator  clearance secret  models { auto b0  auto far }  permit { auto readOnly } }
     assert never flow public to far`,
    "proved",
  ],
  "what may not flow to the one before goes to the next": [
    `${LOCAL} ${FAR}
     service s : Store { label secret/reviewed }
     session day { kind operator  clearance secret  models { auto far  auto b0 }  permit { auto readOnly } }
     assert never flow secret to far
     assert never flow public to b0`,
    "proved",
    "day: s.look auto → secret/reviewed, infer b0 auto",
  ],
  "arguments flow to a service, but for reading on this machine": [
    `${LOCAL} service s : Store { label secret/reviewed }  service w : Desk { grant Fetch }
     ${DAY} permit { auto readOnly, w.post  consent mutatingLocal } }
     assert never flow secret to s
     assert never flow public to w
     assert never flow secret to Desk`,
    "day: s.look auto → secret/reviewed, s.put consent",
    "day: w.post auto",
    "day: s.look auto → secret/reviewed, w.post auto",
  ],
  "what one conversation writes, another reads under the label of the store": [
    `${LOCAL} service s : Store { label public/reviewed }  service v : Vault { label secret/reviewed }
     declassify s.put from secret to public by consent because "CHG-1"
     ${DAY} permit { auto Vault.peek, mutatingLocal } }
     session night { kind operator  models { auto b0 }  permit { auto Store.look } }
     assert never flow secret to b0 for night
     assert never flow secret to b0 for night without releases
     assert never flow secret to s without releases`,
    "day: v.peek auto → secret/reviewed, s.put consent released | night: s.look auto → public/reviewed, infer b0 auto",
    "proved",
    "proved",
  ],
  "a store with a range says what came in": [
    `${LOCAL} service s : Store { label public/reviewed .. secret/reviewed }
     ${DAY} starts secret/reviewed  permit { auto mutatingLocal } }
     session night { kind operator  clearance secret  models { auto b0 }  permit { auto readOnly } }
     assert never flow secret to b0 for night
     assert never flow secret/untrusted to b0 for night`,
    "night: s.look auto → secret/reviewed, infer b0 auto",
    "proved",
  ],
  "services that a grant connects hold what each other holds": [
    `${LOCAL} ${CONNECTED}
     declassify s.put from secret to public by consent for day because "a test"
     assert never flow secret to b0 for night
     assert never flow secret to t
     assert never flow secret/untrusted to t`,
    "day: s.put consent released | night: t.look auto → public/reviewed, infer b0 auto",
    "day: s.put consent released",
    "proved",
  ],
  "what a service is told may flow to what it holds, so that the label of that counts": [
    `${LOCAL} ${CONNECTED}
     assert never flow secret to b0 for night
     assert never flow secret to t`,
    "proved",
    "proved",
  ],
  "what is withheld raises the label and tells nothing": [
    `${LOCAL} service t : Store { label internal/reviewed }  service s : Store { label secret/reviewed  grant t }
     ${DAY} starts secret/reviewed  permit { auto s.put } }
     session night { kind operator  clearance public  models { auto b0 }  permit { auto t.look } }
     assert never flow secret to b0 for night
     assert never flow internal to b0 for night`,
    "proved",
    "night: t.look auto → internal/reviewed, infer b0 auto",
  ],
  "a call whose result might be above the clearance has no effect": [
    `${LOCAL} service s : Store { label secret/reviewed }
     session day { kind operator  clearance internal  models { auto b0 }  permit { auto readOnly, mutatingLocal } }
     assert never call mutatingLocal
     assert never call readOnly`,
    "proved",
    "day: s.look auto",
  ],
  "private, untrusted and a way out, together and asking nobody": [
    `${LOCAL} ${FAR} service s : Store { label internal }  service w : Desk { grant Fetch }
     ${DAY} permit { auto readOnly  consent Desk.ask  auto Desk.post } }
     session asks { kind operator  clearance secret  models { auto b0 }  permit { auto readOnly  consent Desk.post } }
     session out { kind operator  clearance internal  models { auto far }  permit { auto readOnly } }
     assert never trifecta for day
     assert never trifecta for asks
     assert never trifecta for out`,
    "day: s.look auto → internal/untrusted, w.post auto",
    "proved",
    "out: s.look auto → internal/untrusted, infer far auto",
  ],
  "a floor that is met makes stricter, and is met only by what can be seen": [
    `${LOCAL} service s : Store { label internal/untrusted }  service t : Store { label public/reviewed }
     ${DAY} permit { auto readOnly, mutatingLocal } when integrity <= untrusted { atLeast stepUp mutatingLocal } }
     session blind { kind operator  models { auto b0 }  permit { auto mutatingLocal } when integrity <= untrusted { atLeast stepUp mutatingLocal } }
     assert always stepUp t.put for day
     assert always stepUp s.put for day
     assert always auto t.put
     assert never call t.put ungated for blind`,
    "day: t.put auto",
    "day: s.put auto",
    "proved",
    "blind: t.put auto",
  ],
  "arguments are found that meet a condition, or fail it": [
    `${LOCAL} service s : Store { label public/reviewed }
     ${DAY} permit { auto Store.put where path under "/x" else stepUp } }
     session night { kind operator  models { auto b0 }  permit { consent Store.put where count > 200 else forbidden } }
     assert always stepUp s.put for day
     assert never call s.put for night`,
    "day: s.put auto",
    "proved",
  ],
  "phases go forward only, may be left out, and keep what was seen": [
    `${LOCAL} service s : Store { label secret/reviewed }  service w : Desk { grant Fetch }
     ${DAY} permit { auto readOnly, w.post } }
     task up in day { phase look { only s.look }  phase rest { only w.ask }  phase send after consent { only w.post } }
     task down in day { phase send { only w.post }  phase look { only s.look } }
     assert never flow secret to w for day.up
     assert never call s.look for day.down
     assert never flow secret to w for day.down`,
    "day.up: s.look auto → secret/reviewed, enter send consent, w.post auto",
    "day.down: enter look auto, s.look auto",
    // The conversation reads secret data only after the phase in which it sends, so it cannot send this data. But the
    // desk may return secret data that other conversations sent to it.
    "day: s.look auto → secret/reviewed, w.post auto | day.down: w.post auto → public/untrusted, w.post auto",
  ],
  "words from outside come to the conversations of their row": [
    `${LOCAL} ${DAY} permit { auto readOnly } }  session night { kind operator  models { auto b0 } permit { auto readOnly } }
     ingress desk : mail into day label secret/untrusted
     assert never flow secret to b0
     assert never flow secret to b0 for night`,
    "day: hear desk → secret/untrusted, infer b0 auto",
    "proved",
  ],
};

test.each(Object.entries(RULES))("%s", async (_, [page, ...found]) => {
  expect(await foundOn(page)).toEqual(found);
});

test("a worker starts with the data that its parent has read, and the parent ends with the data of the worker", async () => {
  const page = `${LOCAL} service s : Store { label secret/reviewed }  service w : Desk { grant Fetch }
    session day { kind operator  clearance secret  models { auto b0 }  permit { auto readOnly, w.post } }
    worker digest in day { only s.look }
    assert never flow secret to w
    assert never call s.look ungated`;
  // The test needs a worker with more rights than its parent, which no page can express. So it removes the parent's
  // rule from the tables.
  const only = (tables: PolicyTables): PolicyTables => {
    const look = tables.tools.findIndex(({ name }) => name === "s.look");
    const rows = tables.rows.map((row) => (row.worker === "" ? { ...row, cells: row.cells.with(look, 0) } : row));
    return { ...tables, rows };
  };
  expect(await foundOn(page, only)).toEqual([
    "day: digest [s.look auto → secret/reviewed] → secret/reviewed, w.post auto",
    "day: digest [s.look auto] → public/reviewed",
  ]);
});

test.each([64, 65, 200])(
  "data that is read in the first of %i phases stays in the conversation until the last phase",
  async (count) => {
    const between = Array.from({ length: count - 2 }, (_, at) => `p${at + 1}`);
    const phases = between.map((name) => `phase ${name} { only w.ask }`).join("\n");
    const found = await foundOn(`${LOCAL} service s : Store { label secret/reviewed }  service w : Desk { grant Fetch }
    ${DAY} permit { auto readOnly, w.post } }
    task up in day { phase look { only s.look }  ${phases}  phase send { only w.post } }
    assert never flow secret to w for day.up`);
    // In a task with at most 64 phases, the witness goes from the first phase to the last one directly. In a longer
    // task, the witness enters each phase.
    const entered = count > 64 ? [...between, "send"] : ["send"];
    const steps = ["s.look auto → secret/reviewed", ...entered.map((name) => `enter ${name} auto`), "w.post auto"];
    expect(found).toEqual([`day.up: ${steps.join(", ")}`]);
  },
);

/**
 * A page with two stores, where a conversation that called one store must not call the other store. Each store may contain data above its
 * label.
 */
const APART = `compartments { x, y }
  backend b0 { stub clearance secret:{x, y} }  backend far { remote openai "https://llm.example" clearance public:{x, y} }
  backend bx { stub clearance public:{x} }  backend by { stub clearance public:{y} }
  service v : Vault { label secret/reviewed }  service u : Vault { label public/untrusted }
  service sx : Store { label public:{x}/reviewed  grant Fetch }
  service sy : Store { label public:{y}/reviewed  grant Fetch }
  declassify sx.put from secret to public by consent because "CHG-1"
  endorse sy.put from public/untrusted to public/reviewed by consent because "CHG-2"
  session night { kind operator  clearance secret:{x}  models { auto b0 }  permit { auto v.peek, sx.put } }
  session dawn { kind operator  clearance public:{y}  models { auto b0 }  permit { auto u.peek, sy.put } }
  session day { kind operator  clearance public:{x, y}  models { auto bx  auto by  auto far }  permit { auto Store.look } }
  assert never flow public:{x, y} to far for day
  assert never trifecta for day`;

test("when a worker ends, its label joins its parent's label, and its parent counts as having read the data of both", async () => {
  expect(await foundOn(APART)).toEqual(["proved", "proved"]);
  // The claim is not proved but undetermined, because a witness cannot contain a parent that continues while its worker runs.
  const why = "sy.look is refused: this conversation has seen what may not flow to this tool";
  expect(await foundOn(`${APART} worker digest in day { only sy.look }`)).toEqual([why, why]);
});

const SUBJECTS = `${LOCAL} service s : Store { label public/reviewed }
  ${DAY} permit { consent s.put } }  session night extends day { }
  session apart { kind operator  models { auto b0 }  permit { auto s.look } }
  task fix in day { only s.put }`;

test("a claim about a session covers its tasks and the sessions that extend it, and a claim about a task covers the task in all these sessions", async () => {
  const claims = ["", "for day", "for night", "for apart", "for day.fix"].map(
    (who) => `assert never call s.put ${who}`,
  );
  const found = await foundOn(`${SUBJECTS} ${claims.join("\n")}`);
  expect(found).toEqual([
    "day: s.put consent",
    "day: s.put consent",
    "night: s.put consent",
    "proved",
    "day.fix: s.put consent",
  ]);
});

test("a refutation states in one sentence which data reaches which sink, in which session, and through which services", async () => {
  const page = `${LOCAL} ${FAR} service s : Store { label public/reviewed }  service v : Vault { label secret/untrusted }
    service w : Desk { grant Fetch }
    declassify s.put from secret to public by consent because "CHG-1"
    endorse s.put from public/untrusted to public/reviewed by consent because "CHG-2"
    ${DAY} permit { auto readOnly, w.post } }
    session night { kind operator  models { auto far }  permit { auto s.look  consent s.put } }
    assert never flow secret to b0
    assert never flow public to w
    assert never trifecta
    assert always stepUp s.put
    assert never call s.look
    assert limit 2 calls per turn for night`;
  const { own } = await provenPage(page);
  expect(own.map(({ verdict }) => (verdict.kind === "refuted" ? verdict.sentence : verdict.kind))).toEqual([
    "`secret` reaches the backend `b0` in one conversation of `day`",
    "`public` goes out by `w.post` at `auto` in one conversation of `day`",
    "private data, content that nobody vouches for and `w.post` at `auto` meet in one conversation of `day`",
    "`s.put` runs at `consent` in `night`, less strict than `stepUp`",
    "`s.look` runs at `auto` in `day`",
    "`night` may use more than `2 calls per turn`: no quota of it holds that",
  ]);
});

test("a proof states its scope, the releases used, and the number of states", async () => {
  const page = `${LOCAL} service s : Store { label public/reviewed }  service v : Vault { label secret/reviewed }
    declassify s.put from secret to public by consent because "CHG-1"
    ${DAY} permit { auto readOnly, mutatingLocal } }
    assert never flow secret to s without releases`;
  const { own } = await provenPage(page);
  const [{ verdict } = { verdict: undefined }] = own;
  expect(verdict).toMatchObject({
    kind: "proved",
    releases: ['declassify s.put from secret to public by consent because "CHG-1"'],
    states: 3,
    merged: 3,
  });
  const sentence = verdict?.kind === "proved" ? verdict.sentence : "";
  expect(sentence).toContain("conversations of any length and order");
  // The claim says `without releases`, so the proof does not use the release.
  expect(sentence).toContain("Releases not counted: declassify s.put ");
});

test("a proof about a label that no data has says that the claim holds trivially", async () => {
  const page = (label: string, permit: string) => `${LOCAL} service s : Store { label public/reviewed }
    service v : Vault { label ${label}/reviewed }  ${DAY} permit { ${permit} } }
    assert never flow secret to s  assert never call s.put`;
  const said = async (text: string) =>
    (await provenPage(text)).own.map(
      ({ verdict }) =>
        verdict.kind === "proved" && [
          verdict.isUnlabelled,
          verdict.sentence.includes("Holds trivially: no tool, session"),
        ],
    );
  expect(await said(page("internal", "auto s.look, v.peek"))).toEqual([
    [true, true],
    [false, false],
  ]);
  // The line `forbidden v.peek` protects the secret data, so the claims do not hold trivially.
  expect(await said(page("secret", "auto s.look  forbidden v.peek"))).toEqual([
    [false, false],
    [false, false],
  ]);
});

test("a proof states that masked text counts as data that a backend has received", async () => {
  const page = `${LOCAL} redact cards label secret { matches "####" }  service s : Store { label public/reviewed }
    ${DAY} permit { auto s.look } }  assert never call s.put for day`;
  const [proof] = (await provenPage(page)).own;
  expect(proof?.verdict.kind === "proved" && proof.verdict.sentence).toContain(
    "Text that `cards` masks counts as data that the backend has received.",
  );
  const [other] = (await provenPage(page.replace(/redact [^}]*}/, ""))).own;
  expect(other?.verdict.kind === "proved" && other.verdict.sentence).not.toContain("counts as data");
});

test("a proof about direct calls lists the uses by grants that it does not count", async () => {
  const uncounted = async (lines: string, claim = "never call t.put directly for day") => {
    const page = `${LOCAL} service t : Store { label public/reviewed }  service s : Store { label public/reviewed  grant t }
      ${DAY} permit { ${lines} } }  assert ${claim}`;
    const [proof] = (await provenPage(page)).own;
    if (proof?.verdict.kind !== "proved") throw new Error(`not proved: ${proof?.verdict.kind}`);
    const said = "Only direct calls count; not counted: `s.put` may use `t.put`.";
    expect(proof.verdict.sentence.includes(said)).toBe(proof.verdict.uncounted.length > 0);
    return proof.verdict.uncounted;
  };
  const use = "`s.put` may use `t.put`";
  expect(await uncounted("consent s.put  forbidden t.put")).toEqual([use]);
  expect(await uncounted("auto s.look  forbidden t.put, s.put")).toEqual([]);
  expect(await uncounted("consent s.put  stepUp t.put", "always stepUp t.put directly for day")).toEqual([use]);
  // No call writes without approval: a person approves `s.put`, and the read-only `s.look` is assumed to change
  // nothing.
  expect(await uncounted("auto s.look  consent s.put", "never call t.put ungated directly for day")).toEqual([]);
});

test("a use of a forbidden tool through a grant refutes the claim, with the gate of the call that causes the use", async () => {
  const found = async (lines: string, claim: string) => {
    const page = `${LOCAL} service t : Store { label public/reviewed }  service m : Store { label public/reviewed  grant t }
      service s : Store { label public/reviewed  grant m }
      ${DAY} permit { ${lines} } }  assert ${claim}`;
    const [proof] = (await provenPage(page)).own;
    return proof?.verdict.kind === "refuted" ? proof.verdict.sentence : proof?.verdict.kind;
  };
  const use = "`s.put` runs at `consent` in `day` and may use `t.put` by a grant of `m`";
  expect(await found("consent s.put  forbidden t.put", "never call t.put for day")).toBe(use);
  expect(await found("consent s.put  stepUp t.put", "always stepUp t.put for day")).toBe(
    `${use}, less strict than \`stepUp\``,
  );
  expect(await found("consent s.put  stepUp t.put", "never call t.put ungated for day")).toBe("proved");
  expect(await found("auto s.look  forbidden t.put, s.put", "never call t.put for day")).toBe("proved");
  expect(await found("auto s.look  forbidden t.look", "never call t.look for day")).toBe(
    "`s.look` runs at `auto` in `day` and may use `t.look` by a grant of `m`",
  );
});

test("an anonymous session must not run a read-only tool at auto if the read sends data to the network", async () => {
  const page = (grant: string) => `${LOCAL} service s : Store { label public/reviewed ${grant} }
    session day { kind anonymous  models { auto b0 }  permit { auto readOnly } }`;
  const found = async (grant: string) =>
    (await provenPage(page(grant))).results.find(({ inherited }) => inherited === "anonymous-asks")?.verdict.kind;
  expect([await found(""), await found("grant Fetch")]).toEqual(["proved", "refuted"]);
});

test("data that a service shares with a networked service through a grant counts as leaving the machine", async () => {
  const page = (grants: string) => `${LOCAL} service s : Store { label secret/untrusted }
    service w : Desk { label secret/untrusted  grant Fetch ${grants} }
    ${DAY} permit { auto readOnly, mutatingLocal  consent outboundNet } }`;
  const found = async (grants: string) =>
    (await provenPage(page(grants))).results.find(({ inherited }) => inherited === "trifecta")?.verdict.kind;
  expect([await found(""), await found("grant s")]).toEqual(["proved", "refuted"]);
});

test("a proof about data that leaves the machine names the outboundNet tools whose services have no network access", async () => {
  const offline = async (services: string) => {
    const page = `${LOCAL} ${services} ${DAY} permit { consent outboundNet } }  assert never trifecta for day`;
    const [proof] = (await provenPage(page)).own;
    if (proof?.verdict.kind !== "proved") throw new Error(`not proved: ${proof?.verdict.kind}`);
    const said = "Not a way out, for their services have no network: `w.ask`, `w.post`";
    expect(proof.verdict.sentence.includes(said)).toBe(proof.verdict.offline.length > 0);
    return proof.verdict.offline;
  };
  expect(await offline("service w : Desk { label public }")).toEqual(["w.ask", "w.post"]);
  expect(await offline("service w : Desk { label public  grant Fetch }")).toEqual([]);
});

test("a proof of a claim that covers no tool of the page states this", async () => {
  const page = `${LOCAL} service s : Store { label public } ${DAY} permit { auto s.look } }
    assert never call outboundNet for day  assert never call s.put for day`;
  const proved = (await provenPage(page)).own.map(({ verdict }) => verdict);
  const sentence = "The page has no such tool or backend.";
  expect(proved.map((one) => one.kind === "proved" && [one.isVacuous, one.sentence.includes(sentence)])).toEqual([
    [true, true],
    [false, false],
  ]);
});

test("a waiver for a session applies only to this session and to sessions that extend it", async () => {
  const page = (...lines: readonly string[]) => `${FAR} service s : Store { label internal }
    session day { kind operator  clearance internal  models { auto far }  permit { auto readOnly } }
    session night extends day { models { auto far } }
    ${lines.join("\n")}`;
  const met = async (...lines: readonly string[]) =>
    (await provenPage(page(...lines))).results.find(({ inherited }) => inherited === "trifecta")?.at?.session;
  const waived = (who: string) => `waive trifecta for ${who} because "CHG-1"`;
  const apart = "session apart { kind operator  clearance internal  models { auto far }  permit { auto readOnly } }";
  expect([await met(), await met(waived("night")), await met(waived("day"))]).toEqual(["day", "day", undefined]);
  expect(await met(waived("day"), apart)).toBe("apart");
});
