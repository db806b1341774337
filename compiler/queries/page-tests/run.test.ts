import { expect, test } from "vitest";
import { compile } from "../../compile.ts";
import { ALICE } from "../../dev/fixtures/facts.ts";
import { testSurroundings } from "../../dev/fixtures/surroundings.ts";
import { createMemoryHost } from "../../phases/source/index.ts";
import { runTests, type TestRun } from "./index.ts";

/**
 * Page with labels, a release, a task with phases, a gated backend and quotas, so that tests can cover all kinds of
 * steps.
 */
const PAGE = (tests: string) => `system sample {
  use std.tools
  compartments { hr }
  principal alice { ssh "alice.pub" }
  backend canned { stub  clearance secret:{hr} }
  backend plain { stub  clearance secret:{hr} }
  service notes : Files { state 1 MiB  label secret:{hr}/reviewed .. secret:{hr} }
  service drafts : Files { state 1 MiB  label public }
  service status : HttpEndpoint { label public/reviewed  grant HttpEndpoint scope "https://status.example/api", "GET" }
  network { address dhcp }
  session operator {
    kind operator  principals alice  clearance secret:{hr}  models { stepUp plain  auto canned }
    permit { auto readOnly  consent mutatingLocal  stepUp destructive  auto drafts.write where path under "/a" else forbidden }
    suppress drafts.delete, status.*
    quota { 2 prompts per conversation }
  }
  session night extends operator {}
  session watcher {
    kind guest  models { auto canned }  only status.*  permit { auto status.* }  quota { 2 outboundNet per turn }
  }
  task triage in operator {
    phase look { only readOnly }
    phase mend after consent { only notes.* }
  }
  declassify drafts.write from secret:{hr} to public by consent because "it is published"
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
  ${tests}
}`;

async function rehearsed(...steps: readonly string[]): Promise<TestRun> {
  const tests = steps.map((body, index) => `test "number ${index}" { ${body} }`).join("\n");
  const host = createMemoryHost({ "/system.cap": PAGE(tests), "/alice.pub": ALICE });
  const made = await compile(host, "/system.cap", { ...testSurroundings, purpose: "check" });
  const { policy, origins, model, diagnostics } = made;
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([]);
  if (policy === undefined || origins === undefined || model === undefined) throw new Error("no policy");
  return runTests(policy, origins, model);
}

const messages = ({ results }: TestRun) => results.flatMap(({ failures }) => failures.map(({ message }) => message));
const WRITE = '{ path: "/a/b", content: "x" }';

test.each([
  [
    "calls with modes",
    'as operator call notes.read { path: "a" } expect auto call notes.delete { path: "a" } expect stepUp',
  ],
  ["a call that a person approves", `as operator call notes.write ${WRITE} answer yes expect ok`],
  ["a call that a person denies", `as operator call notes.write ${WRITE} answer no expect deniedByUser`],
  [
    "a call without the required signature",
    'as operator call notes.delete { path: "a" } answer no expect stepUpFailed',
  ],
  [
    "a mode that is expected although a person denies the call",
    `as operator call notes.write ${WRITE} answer no expect consent`,
  ],
  ["a call that a line forbids", 'as operator call drafts.write { path: "/b", content: "x" } expect forbidden'],
  [
    "the outcome of a call that a line forbids",
    'as operator call drafts.write { path: "/b", content: "x" } expect refusedByPolicy',
  ],
  [
    "tools that do not exist",
    'as operator call drafts.delete { path: "a" } expect unknownTool call no.tool {} expect unknownTool',
  ],
  ["wrong arguments", "as operator call notes.read { path: 1 } expect invalidArguments"],
  ["a tool that a session gets from the session that it extends", 'as night call notes.read { path: "a" } expect auto'],
  [
    "a backend behind a gate",
    "as operator infer plain expect stepUp infer plain answer yes expect ok infer plain expect auto",
  ],
])("tests of a page pass: %s", async (_, steps) => {
  expect(messages(await rehearsed(steps))).toEqual([]);
});

const GET = 'call status.get { path: "/api/now" }';
const OTHER = 'call status.get { path: "/other" } expect refusedByPolicy';

test("a call that the grant of its service does not cover is refused, as at the gate, and is not charged", async () => {
  const steps = `as watcher ${OTHER} ${OTHER} ${OTHER} ${GET} expect auto ${GET} expect auto ${GET} expect refusedByPolicy
    call status.post { path: "/api/now", contentType: "text/plain", body: "x" } expect refusedByPolicy
    call status.get {} expect invalidArguments`;
  expect(messages(await rehearsed(steps))).toEqual([]);
  const reasons = async (steps: string) => {
    const { results, coverage } = await rehearsed(steps.replaceAll("refusedByPolicy", "auto"));
    const decided = coverage.rules.find(({ id }) => id === "watcher/auto status.*")?.times;
    return [results.flatMap(({ failures }) => failures.map(({ help }) => help)), decided];
  };
  const outside = "outside the page's grant, which covers https://status.example/api";
  expect(await reasons(`as watcher ${OTHER}`)).toEqual([[outside], 0]);
  // Because of the grant, the gate refuses the call `OTHER` before the broker counts any quota.
  expect(await reasons(`as watcher ${GET} expect auto ${GET} expect auto ${OTHER}`)).toEqual([[outside], 2]);
});

test("ruling 10: results raise the label, and `returning` gives the label that a provider states", async () => {
  const read = 'as operator call notes.read { path: "a" }';
  const write = `call drafts.write ${WRITE}`;
  expect(messages(await rehearsed(`as operator ${write} expect auto`))).toEqual([]);
  expect(messages(await rehearsed(`${read} expect auto ${write} expect consent`))).toEqual([]);
  const stated = `${read} returning secret:{hr}/untrusted expect auto call notes.write ${WRITE} expect refusedByPolicy`;
  expect(messages(await rehearsed(stated))).toEqual([]);
  expect(messages(await rehearsed(`${read} returning public expect auto`))).toEqual([
    '"number 0": expected auto, found nothing',
  ]);
});

test("a refused flow names the data, the sink, and the command that finds the least change", async () => {
  const read = 'call notes.read { path: "a" } returning secret:{hr}/untrusted expect auto';
  const { results } = await rehearsed(
    `as operator call notes.list { path: "" } returning secret:{hr}/reviewed expect auto ${read}
      call notes.write ${WRITE} expect consent call notes.write { path: "a" } expect consent`,
    `as operator call notes.write ${WRITE} expect auto`,
  );
  const refused =
    "this conversation has seen what may not flow to this tool: notes.read returned secret:{hr}/untrusted";
  const asked = 'operator notes.write {"content":"x","path":"/a/b"}';
  const helps = results.map(({ failures }) => failures.map(({ help }) => help));
  expect(helps).toEqual([
    [
      `${refused}, and notes.write takes at most secret:{hr}/reviewed; ` +
        `for the least change run: capc why system.cap '${asked}' --label 'secret:{hr}/untrusted'`,
      expect.not.stringContaining("capc why"),
    ],
    ['consent by "consent mutatingLocal"'],
  ]);
});

test("ruling 8: a person can enter only later phases, and passes the gate of each", async () => {
  const passes = `as triage call notes.write ${WRITE} expect unknownTool
    enter mend expect consent enter mend answer no expect deniedByUser enter mend answer yes expect ok
    call notes.write ${WRITE} expect consent enter look expect refusedByPolicy
    as night.triage enter mend answer yes expect ok as operator enter mend expect refusedByPolicy`;
  expect(messages(await rehearsed(passes))).toEqual([]);
});

test("ruling 17: without a person, the question before a phase stays open, and a gated call outside of a task is refused", async () => {
  const open = `as triage unattended enter mend answer yes expect consent call notes.write ${WRITE} expect unknownTool`;
  const refused = `as operator unattended call notes.write ${WRITE} expect refusedByPolicy`;
  expect(messages(await rehearsed(open, refused))).toEqual([]);
});

test("ruling 16: each prompt is charged, whether the person approves or denies", async () => {
  const ask = (answer: string, expected: string) => `call notes.write ${WRITE} answer ${answer} expect ${expected}`;
  const steps = `as operator ${ask("no", "deniedByUser")} ${ask("yes", "ok")} ${ask("yes", "refusedByPolicy")}`;
  expect(messages(await rehearsed(steps))).toEqual([]);
});

test("ruling 20: each failed step is named with the actual outcome and the reason", async () => {
  const { results } = await rehearsed(
    `as operator call notes.write ${WRITE} expect auto call notes.read { path: "a" } expect forbidden
      call notes.read { path: "a" } expect auto`,
    'call notes.read { path: "a" } expect auto call notes.read { path: "b" } expect auto',
  );
  expect(results.map(({ failures }) => failures.map(({ message, help }) => [message, help]))).toEqual([
    [
      ['"number 0": expected auto, found consent', 'consent by "consent mutatingLocal"'],
      ['"number 0": expected forbidden, found auto, ok', 'auto by "auto readOnly"'],
    ],
    [['"number 1": expected auto, found nothing', "no conversation has begun: write `as SESSION` first"]],
  ]);
  const failed = results[0]?.failures[0]?.span;
  expect(failed?.source.text.slice(failed.start, failed.end)).toBe(`call notes.write ${WRITE} expect auto`);
});

test("a test ends if it does not enter a phase, because its further steps are meant for that phase", async () => {
  const steps = `as triage enter mend answer no expect ok call notes.write ${WRITE} expect consent`;
  expect(messages(await rehearsed(steps))).toEqual(['"number 0": expected ok, found consent, deniedByUser']);
});

test("coverage counts the rules that decided, and the pairs of session and tool that were called", async () => {
  const { coverage } = await rehearsed(
    `as operator call notes.read { path: "a" } expect auto call drafts.write ${WRITE} expect consent`,
    "as triage enter mend answer yes expect ok",
  );
  expect(coverage.rules.filter(({ times }) => times > 0).map(({ id, times }) => [id, times])).toEqual([
    ["operator.triage.mend/phase mend after consent", 1],
    ["operator/auto readOnly", 1],
    ['release/declassify drafts.write from secret:{hr} to public by consent because "it is published"', 2],
  ]);
  const line = coverage.rules.find(({ id }) => id === "operator/auto readOnly")?.span;
  expect(line?.source.text.slice(line.start, line.end)).toBe("auto readOnly");
  expect(coverage.pairs.filter(({ times }) => times > 0)).toEqual([
    { session: "operator", tool: "drafts.write", times: 1 },
    { session: "operator", tool: "notes.read", times: 1 },
  ]);
  expect(coverage.pairs.map(({ tool }) => tool)).not.toContain("drafts.delete");
  expect(coverage.pairs).toHaveLength(16);
});
