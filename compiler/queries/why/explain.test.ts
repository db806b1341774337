import fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "../../../engine/lib/policy/index.ts";
import { anyScene } from "../../../engine/lib/policy/testing/arbitrary.ts";
import { indexed } from "../../../engine/lib/policy/testing/sample.ts";
import { compile } from "../../compile.ts";
import { ALICE } from "../../dev/fixtures/facts.ts";
import { testSurroundings } from "../../dev/fixtures/surroundings.ts";
import { createMemoryHost } from "../../phases/source/index.ts";
import { trace } from "./checks.ts";
import { applyEdits, explainDecision, findLeastChange, type Question } from "./index.ts";

const PAGE = `system sample {
  use std.tools
  compartments { hr }
  principal alice { ssh "alice.pub" }
  backend canned { stub  clearance secret:{hr} }
  service notes : Files { state 1 MiB  label secret:{hr}/reviewed }
  service drafts : Files { state 1 MiB  label public/reviewed }
  session operator {
    kind operator  principals alice  clearance secret:{hr}  models { auto canned }
    permit {
      auto readOnly
      consent mutatingLocal
      forbidden drafts.write where path under "/locked" else consent
      stepUp destructive
    }
    suppress drafts.delete
    when integrity <= untrusted { atLeast stepUp mutatingLocal }
    quota { 9 calls per turn }
  }
  session night extends operator { permit { forbidden notes.write } }
  session guest { kind guest  models { auto canned }  permit { auto drafts.list } }
  task triage in operator {
    only readOnly
    phase look { permit { consent notes.list } }
  }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}`;
const WRITE = '{"path":"/a","content":"x"}';

async function read(text = PAGE) {
  const host = createMemoryHost({ "/system.cap": text, "/alice.pub": ALICE });
  const options = { ...testSurroundings, purpose: "check" } as const;
  const { policy, origins, model, diagnostics } = await compile(host, "/system.cap", options);
  if (policy === undefined || origins === undefined || model === undefined) {
    throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  }
  return { host, path: "/system.cap", options, policy, origins, model };
}

async function why(question: Question, source = PAGE) {
  const page = await read(source);
  const explained = explainDecision(page.policy, page.origins, question);
  if (!explained.ok) throw new Error(explained.reason);
  const { change, refused } = await findLeastChange(page, explained.value);
  const text = change && applyEdits(source, change.edits);
  const lines = source.split("\n");
  const written = text?.split("\n").filter((line) => !lines.includes(line));
  return { explanation: explained.value, change, refused, written };
}

test("if no change to the preferred mode is lawful, a change to a stricter mode is proposed", async () => {
  const page = PAGE.replace("stepUp destructive", "forbidden notes.delete").replace(
    "storage {",
    "assert always stepUp notes.delete  storage {",
  );
  const { change, written } = await why({ session: "operator", tool: "notes.delete" }, page);
  expect([change?.answer, written?.map((line) => line.trim())]).toEqual(["stepUp", ["stepUp notes.delete"]]);
});

test("the smallest change can be another mode after `else`", async () => {
  const line = 'forbidden drafts.write where path under "/locked" else consent';
  const page = PAGE.replace(line, 'consent drafts.write where path under "/open" else forbidden');
  const asked = { session: "operator", tool: "drafts.write", arguments: '{"path":"","content":""}' };
  const { change, written } = await why(asked, page);
  expect([change?.answer, written?.map((one) => one.trim())]).toEqual([
    "consent",
    ['consent drafts.write where path under "/open" else consent'],
  ]);
});

test("if a law refuses every change, the first change is reported with its error", async () => {
  const page = PAGE.replace("stepUp destructive", "forbidden notes.delete").replace(
    "storage {",
    "assert never call notes.delete  storage {",
  );
  const { change, refused } = await why({ session: "operator", tool: "notes.delete" }, page);
  expect([change, refused?.edits.map(({ replacement }) => replacement), refused?.error.code]).toEqual([
    undefined,
    ["consent"],
    "assertion-refuted",
  ]);
});

test("redactions that mask a call are listed by backend, and a redaction of fields is listed only for the tools that it names", async () => {
  const redactions = `redact cards label secret { matches "####" }  redact paths label secret:{hr} { arg notes.write.path }
    redact low label public { matches "####" }`;
  const backends = "backend canned { stub  clearance secret:{hr} }  backend far { stub  clearance internal }";
  const page = PAGE.replace("backend canned { stub  clearance secret:{hr} }", `${backends}  ${redactions}`).replace(
    "models { auto canned }",
    "models { consent far  auto canned }",
  );
  const ask = async (tool: string) => (await why({ session: "operator", tool }, page)).explanation.masked;
  expect(await ask("notes.write")).toEqual([{ backend: "far", redactions: ["cards", "paths"] }]);
  expect(await ask("drafts.write")).toEqual([{ backend: "far", redactions: ["cards"] }]);
});

test.each([
  [
    "by a line whose condition holds",
    "/locked/a",
    'consent drafts.write where path under "/locked" and path under "/locked/a" else consent',
    "consent",
  ],
  ["by the `else` of a line", "b/c", 'auto drafts.write where path under "/b/c" else consent', "auto"],
  ["by a line without a condition", "/b", 'auto notes.write where path under "/b" else consent', "auto"],
])(
  "a change for only the path of the question is preferred to a general change, for a call that is decided %s",
  async (_, path, line, answer) => {
    const tool = line.includes("drafts") ? "drafts.write" : "notes.write";
    const asked = { session: "operator", tool, arguments: JSON.stringify({ path, content: "" }) };
    const { change, written } = await why(asked);
    expect([change?.answer, written?.map((one) => one.trim())]).toEqual([answer, [line]]);
  },
);

test("a path that leads out of the folder, or that was not given, is not proposed", async () => {
  for (const args of [undefined, '{"path":"/","content":""}', '{"path":"../x","content":""}']) {
    const asked = { session: "operator", tool: "notes.write", ...(args === undefined ? {} : { arguments: args }) };
    const { written } = await why(asked);
    expect(written?.map((one) => one.trim())).toEqual(["auto notes.write"]);
  }
});

test("the gate refuses a call that its service's grant does not cover, and the explanation of a covered call names its URL", async () => {
  const page = PAGE.replace(
    "session operator {",
    'service web : HttpEndpoint { label public/untrusted  grant HttpEndpoint scope "https://a.example/api" }  network { address dhcp }  session operator {',
  ).replace("stepUp destructive", "stepUp destructive  consent web.get");
  const ask = async (path: string) =>
    (await why({ session: "operator", tool: "web.get", arguments: JSON.stringify({ path }), label: "public" }, page))
      .explanation;
  const [inside, outside] = [await ask("/api/x"), await ask("/x")];
  expect([inside.answer, inside.checks.at(-1)?.words[0]]).toEqual(["consent", "it sends GET https://a.example/api/x"]);
  expect([outside.answer, outside.reason]).toEqual([
    "refusedByPolicy",
    "outside the page's grant, which covers https://a.example/api",
  ]);
});

test("the checks are in the order in which they run, and the deciding rule is named", async () => {
  const { explanation } = await why({
    session: "operator",
    tool: "notes.write",
    arguments: WRITE,
    label: "public/untrusted",
  });
  expect(explanation).toMatchObject({ answer: "refusedByPolicy", rule: undefined });
  expect(explanation.checks.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
    "tool passes",
    "arguments passes",
    "mode passes",
    "flow decides",
    "quota notAsked",
    "gate notAsked",
  ]);
  expect(explanation.checks[2]?.words).toEqual([
    "consent: consent mutatingLocal (system.cap:12:7)",
    "at least stepUp: when integrity <= untrusted: atLeast stepUp mutatingLocal (system.cap:17:35)",
  ]);
  expect(explanation.checks[3]?.words).toEqual([
    "the conversation is at public/untrusted; the arguments flow to notes at secret:{hr}/reviewed",
    "this conversation has seen what may not flow to this tool",
  ]);
});

test("a floor for certain arguments states whether its condition holds and why the floor applies", async () => {
  const floor = "when integrity <= untrusted { atLeast stepUp mutatingLocal }";
  const page = PAGE.replace(floor, 'when integrity <= untrusted { atLeast stepUp drafts.write where path under "/a" }');
  const ask = async (path: string, label: string) => {
    const args = JSON.stringify({ path, content: "" });
    const { explanation } = await why({ session: "operator", tool: "drafts.write", arguments: args, label }, page);
    return explanation.checks[2]?.words[1]?.replace(/: when .*/, "");
  };
  expect(await ask("/a/b", "public/untrusted")).toBe("at least stepUp, for its condition holds");
  expect(await ask("/b", "public/untrusted")).toBe("does not count, for its condition fails");
  expect(await ask("/a/../b", "public/untrusted")).toBe("at least stepUp, for its condition cannot be evaluated");
  expect(await ask("/a/b", "public/reviewed")).toBe("not met");
});

test("among rules of one pattern, the deciding rule is named with those that it overrides", async () => {
  const first = 'forbidden drafts.write where path under "/locked" else stepUp';
  const second = 'auto drafts.write where path under "/locked" and size(content) <= 9 else stepUp';
  const line = 'forbidden drafts.write where path under "/locked" else consent';
  const page = PAGE.replace(line, `${first}  ${second}  stepUp drafts.write`);
  const ask = async (path: string, content: string) => {
    const args = JSON.stringify({ path, content });
    const { explanation } = await why({ session: "operator", tool: "drafts.write", arguments: args }, page);
    const words = explanation.checks[2]?.words.slice(0, 3) ?? [];
    return [explanation.rule?.words, ...words.map((one) => one.replace(/ \(system.*/, ""))];
  };
  expect(await ask("/locked/a", "x")).toEqual([
    second,
    `auto, for its condition holds: ${second}`,
    `displaced by the more specific "${second}": ${first}`,
    `displaced by the more specific "${second}": stepUp drafts.write`,
  ]);
  expect(await ask("/locked/a", "0123456789")).toEqual([
    first,
    `does not count, for its condition fails and another line of its pattern matches: ${second}`,
    `forbidden, for its condition holds: ${first}`,
    `displaced by the more specific "${first}": stepUp drafts.write`,
  ]);
  expect((await ask("/a", "x"))[0]).toBe("stepUp drafts.write");
});

test.each<[string, Question, string, string]>([
  ["a gate", { session: "operator", tool: "notes.write", arguments: WRITE }, "gate", "consent"],
  [
    "a call that a line forbids",
    { session: "night", tool: "notes.write", arguments: WRITE },
    "mode",
    "refusedByPolicy",
  ],
  ["a hidden tool", { session: "operator", tool: "drafts.delete" }, "tool", "unknownTool"],
  ["a missing tool", { session: "operator", tool: "no.tool" }, "tool", "unknownTool"],
  ["invalid arguments", { session: "operator", tool: "notes.read", arguments: "{}" }, "arguments", "invalidArguments"],
  [
    "no person is present",
    { session: "operator", tool: "notes.write", arguments: WRITE, unattended: true },
    "gate",
    "refusedByPolicy",
  ],
  ["a task", { session: "operator", task: "triage", phase: "look", tool: "notes.list" }, "gate", "consent"],
])("finds the deciding check: %s", async (_, question, check, answer) => {
  const { explanation } = await why(question);
  expect([explanation.checks.find(({ verdict }) => verdict === "decides")?.name, explanation.answer]).toEqual([
    check,
    answer,
  ]);
});

test("the message about a missing tool suggests a similar name if there is one", async () => {
  const words = async (tool: string) => (await why({ session: "operator", tool })).explanation.checks[0]?.words[0];
  const none = "no service of the page has such a method that is classified";
  expect(await words("no.tool")).toBe(none);
  expect(await words("notes.raed")).toBe(`${none}; did you mean notes.read?`);
});

test.each<[string, Question, readonly string[], readonly string[]]>([
  [
    "a gate is opened by a line for the tool alone",
    { session: "operator", tool: "notes.write", arguments: WRITE },
    ["      auto notes.write"],
    ["operator: auto"],
  ],
  ["a hidden tool is no longer hidden", { session: "operator", tool: "drafts.delete" }, [], ["operator: stepUp"]],
  [
    "a call that the parent forbids needs a widening in the child",
    { session: "night", tool: "drafts.write", arguments: '{"path":"/locked/a","content":"x"}' },
    ['widen { consent drafts.write } because "say why"'],
    ["night: consent"],
  ],
  [
    "a tool that no line covers gets a line",
    { session: "guest", tool: "drafts.read" },
    ["auto drafts.read"],
    ["guest: auto"],
  ],
])("finds the smallest change: %s", async (_, question, written, answers) => {
  const found = await why(question);
  expect(`${question.session}: ${found.change?.answer}`).toBe(answers[0]);
  for (const line of written) expect(found.written?.join("\n")).toContain(line.trim());
});

test("for a flow that a label forbids, a release behind step-up is proposed, and its other effects are listed", async () => {
  const leak = await why({ session: "operator", tool: "drafts.write", arguments: WRITE, label: "secret:{hr}" });
  expect(leak.written?.join("\n")).toContain(
    "declassify drafts.write from secret:{hr} to public by stepUp for operator",
  );
  expect(leak.change).toMatchObject({ answer: "stepUp" });
  const places = leak.change?.opens.map(({ place, what }) => `${place} ${what}`);
  expect(places).toContain("night drafts.write");
  // The release allows every text in the call, not only the text of the question.
  expect(leak.change?.opens[0]).toMatchObject({
    place: "operator",
    what: "drafts.write",
    before: expect.stringMatching(/^refusedByPolicy, for data at /),
    after: expect.stringContaining(", at least stepUp, by a release"),
  });
});

const OUTBOX = PAGE.replace(
  "  session night",
  `  session mailer {
    kind operator  principals alice  clearance secret:{hr}  models { auto canned }
    permit { auto readOnly  consent mutatingLocal }
  }
  session night`,
).replace(
  "  storage",
  `  task mail in mailer { only outbox.write }
  service outbox : Files { state 1 MiB  label internal/untrusted }
  storage`,
);
const SUMMARY = {
  session: "mailer",
  tool: "outbox.write",
  arguments: '{"path":"summary.txt","content":"x"}',
  label: "secret/reviewed",
};
const LIMIT = 'consent outbox.write where path under "/summary.txt" and size(path) <= 12 else forbidden';

/** Decides the call of the question on the changed page, with another path or in a conversation with another label. */
async function decideAfter(change: Awaited<ReturnType<typeof why>>["change"], asked: Partial<Question> = {}) {
  const page = await read(applyEdits(OUTBOX, change?.edits ?? []));
  const explained = explainDecision(page.policy, page.origins, { ...SUMMARY, ...asked });
  if (!explained.ok) throw new Error(explained.reason);
  return explained.value.answer;
}

test("the proposed release is limited to the path of the question by a line that forbids the tool for other paths", async () => {
  const { change, written } = await why(SUMMARY, OUTBOX);
  const release = 'declassify outbox.write from secret to internal by stepUp for mailer because "say why"';
  expect(written?.map((line) => line.trim())).toEqual(expect.arrayContaining([release]));
  expect(change?.edits[0]?.replacement.trim()).toBe(LIMIT);
  expect(change?.opens[0]).toEqual({
    place: "mailer",
    what: "outbox.write",
    before: "refusedByPolicy, for data at secret",
    after: 'consent where path under "/summary.txt" and size(path) <= 12 else forbidden, at least stepUp, by a release',
  });
  expect(change?.narrows.map(({ place, what, after }) => `${place} ${what}: ${after}`)).toEqual(
    ["mailer", "mailer.mail"].map(
      (place) => `${place} outbox.write: consent where path under "/summary.txt" and size(path) <= 12 else forbidden`,
    ),
  );
  const other = '{"path":"other.txt","content":"x"}';
  expect(await decideAfter(change)).toBe("stepUp");
  expect(await decideAfter(change, { arguments: other })).toBe("refusedByPolicy");
  // The proposed line also narrows calls that the page allowed without the release.
  expect(await decideAfter(change, { label: "public", arguments: other })).toBe("refusedByPolicy");
  expect(await decideAfter(change, { label: "public" })).toBe("consent");
});

test("the proposed line forbids paths below the path of the question, unless that path has a detour such as `./`", async () => {
  const below = '{"path":"summary.txt/x","content":"x"}';
  expect(await decideAfter((await why(SUMMARY, OUTBOX)).change, { arguments: below })).toBe("refusedByPolicy");
  const detour = '{"path":"./summary.txt","content":"x"}';
  const { change } = await why({ ...SUMMARY, arguments: detour }, OUTBOX);
  expect(change?.edits[0]?.replacement.trim()).toBe(
    'consent outbox.write where path under "/summary.txt" else forbidden',
  );
  expect(await decideAfter(change, { arguments: detour })).toBe("stepUp");
});

test("the proposed release also allows the call after a result has lowered the integrity of the conversation", async () => {
  const { change } = await why(SUMMARY, OUTBOX);
  expect(await decideAfter(change, { label: "secret/untrusted" })).toBe("stepUp");
});

test("for a call in a task, the release and its limiting line are proposed in the task, and change no decision of the session", async () => {
  const { change } = await why({ ...SUMMARY, task: "mail" }, OUTBOX);
  const [limit, release] = change?.edits.map(({ replacement }) => replacement.trim()) ?? [];
  expect(limit).toBe(`permit { ${LIMIT} }`);
  expect(release).toContain("declassify outbox.write from secret to internal by stepUp");
  const changed = [...(change?.opens ?? []), ...(change?.narrows ?? [])];
  expect(changed.filter(({ place, what }) => place === "mailer" && !what.startsWith("flow"))).toEqual([]);
  expect(await decideAfter(change, { task: "mail" })).toBe("stepUp");
  expect(await decideAfter(change)).toBe("refusedByPolicy");
});

test("a line about the tool alone becomes the line that limits the release, and keeps its reason", async () => {
  const page = OUTBOX.replace(
    "auto readOnly  consent mutatingLocal }",
    'auto readOnly  auto outbox.write because "it is a draft" }',
  );
  const { change } = await why(SUMMARY, page);
  expect(change?.edits[0]?.replacement).toBe(
    'auto outbox.write where path under "/summary.txt" and size(path) <= 12 else forbidden because "it is a draft"',
  );
});

test("for a session with a `widen` of the tool, the release is proposed without a line that limits it", async () => {
  const widening = 'session sender extends mailer { widen { auto outbox.write } because "it sends drafts" }  storage';
  const page = OUTBOX.replace("storage", widening).replace("consent mutatingLocal }", "consent outbox.write }");
  const { change } = await why({ ...SUMMARY, session: "sender" }, page);
  expect(change?.edits).toHaveLength(1);
  expect(change?.narrows).toEqual([]);
});

test.each([
  [
    "the path of the question is the root",
    { arguments: '{"path":"/","content":"x"}' },
    "auto readOnly  consent mutatingLocal }",
  ],
  ["a line names the tool and another one", {}, "auto readOnly  consent outbox.write, drafts.write }"],
  ["a line has conditions", {}, 'auto readOnly  auto outbox.write where path under "/out" else consent }'],
])("a release is proposed without a limit if %s", async (_, asked, permit) => {
  const page = OUTBOX.replace("auto readOnly  consent mutatingLocal }", permit);
  const { change } = await why({ ...SUMMARY, ...asked }, page);
  expect(change?.edits).toHaveLength(1);
  expect(change?.edits[0]?.replacement).toContain("declassify outbox.write");
  expect(change?.narrows).toEqual([]);
});

test("the smallest change for a call that needs a release changes the gate of the release", async () => {
  const release = 'declassify drafts.write from secret:{hr} to public by stepUp because "published"';
  const question = { session: "operator", tool: "drafts.write", arguments: WRITE, label: "secret:{hr}" };
  const { change, written } = await why(question, PAGE.replace("  storage", `  ${release}\n  storage`));
  expect(written?.join("\n")).toContain(release.replace("stepUp", "consent"));
  expect(change?.answer).toBe("consent");
});

test("no change is proposed if the call already runs, or if no change is known", async () => {
  expect((await why({ session: "operator", tool: "notes.read" })).change).toBeUndefined();
  expect((await why({ session: "operator", tool: "no.tool" })).change).toBeUndefined();
  expect((await why({ session: "operator", tool: "notes.read", arguments: "{}" })).change).toBeUndefined();
});

test.each<[Partial<Question>, RegExp]>([
  [{ session: "nobody" }, /session nobody/],
  [{ task: "tour" }, /no task tour/],
  [{ phase: "look" }, /a phase is of a task/],
  [{ task: "triage", phase: "mend" }, /no phase mend/],
  [{ label: "secret:{it}" }, /no label/],
])("a question about an unknown session, task, phase or label is refused: %j", async (changes, reason) => {
  const { policy, origins } = await read();
  const asked = explainDecision(policy, origins, { session: "operator", tool: "notes.read", ...changes });
  expect(asked).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
});

test("property: the explanation names the check at which decide stops", () => {
  fc.assert(
    fc.property(anyScene, ({ tables, conversation, call }) => {
      const question = { session: "operator", tool: call.tool, arguments: call.arguments };
      const { decision, checks } = trace(indexed(tables), conversation, question);
      expect(decision).toEqual(decide(indexed(tables), conversation, call));
      const last = checks.find(({ verdict }) => verdict === "decides")?.name;
      const outcome = decision.kind === "gated" ? "gated" : decision.outcome;
      if (outcome === "gated") expect(last).toBe("gate");
      if (outcome === "unknownTool") expect(last).toBe("tool");
      if (outcome === "invalidArguments") expect(last).toBe("arguments");
      if (outcome === "refusedByPolicy") {
        const reasons = { mode: /^forbidden/, flow: /flow|cleared/, quota: /^used up/, gate: /^nobody/ };
        expect(Object.entries(reasons).find(([, words]) => words.test(decision.reason))?.[0]).toBe(last);
      }
    }),
    { numRuns: 500 },
  );
});

test("if a session requires a task, the explanation of a call outside of tasks names the rule and the tasks, and proposes no change", async () => {
  const source = PAGE.replace("kind operator  principals", "kind operator  requires task  principals");
  const found = await why({ session: "operator", tool: "notes.list" }, source);
  expect(found.change).toBeUndefined();
  expect(found.explanation).toMatchObject({
    answer: "refusedByPolicy",
    reason: "session operator requires a task, and none has begun; a person begins one with /task NAME: triage",
    rule: { words: "requires task" },
  });
  const { policy, origins } = await read(source);
  const inTask = explainDecision(policy, origins, { session: "operator", task: "triage", tool: "notes.list" });
  expect(inTask.ok && inTask.value.answer).toBe("consent");
});

test("a question may give the values of a task's parameters or omit them, and an unknown parameter is refused", async () => {
  const source = PAGE.replace("task triage in operator {", "task triage(folder: text) in operator {");
  expect(source).not.toBe(PAGE);
  const { policy, origins } = await read(source);
  const ask = (values?: string) =>
    explainDecision(policy, origins, {
      session: "operator",
      task: "triage",
      tool: "notes.list",
      ...(values === undefined ? {} : { values }),
    });
  expect(ask('"/in"').ok).toBe(true);
  expect(ask()).toMatchObject({ ok: true });
  expect(ask("size=5")).toEqual({
    ok: false,
    reason: 'there is no parameter size; the task is begun by /task triage folder="TEXT"',
  });
});
