import { readFileSync } from "node:fs";
import { duplexPair } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { always, backend, PUBLIC, row, SECRET, tables, tool } from "../../../lib/policy/testing/sample.ts";
import type { PolicyTables } from "../../../lib/wire/generated/policy.ts";
import { Approval, Supervisor } from "../../../lib/wire/generated/wire.ts";
import { connect, implement, makeFailure, serveInterface } from "../../../lib/wire/index.ts";
import { quota } from "../../broker/quotas/testing/quota-ledgers.ts";
import { Stage, type Surroundings } from "../testing/stage.ts";
import { answerCommand, describeVocabulary } from "./index.ts";

const never = new AbortController().signal;

/**
 * A page: notes.read runs at once, notes.write needs a person's consent, notes.list is forbidden, and no service serves
 * other.read.
 */
const PAGE: Partial<PolicyTables> = {
  tools: ["notes.list", "notes.read", "notes.write", "other.read"].map((name) => tool(name)),
  decisions: (["forbidden", "auto", "consent"] as const).map((mode) => ({ clauses: [always(mode)], floors: [] })),
  rows: [row("operator", [2, 3, 4, 3]), row("visitor", [0, 3, 1, 0])],
};

function session(surroundings: Surroundings = {}, init: "shuts" | "refuses" = "shuts") {
  const stage = new Stage({ ...surroundings, tables: { ...PAGE, ...surroundings.tables } });
  const shut: string[] = [];
  const [mine, theirs] = duplexPair();
  const refused = async () => makeFailure("failed", "not for a gate");
  const revoke = async ({ name }: { readonly name: string }) => {
    shut.push(name);
    return init === "shuts" ? {} : makeFailure("failed", "there is no such grant");
  };
  serveInterface(theirs, [
    implement(Supervisor, {
      revoke,
      stop: refused,
      facts: refused,
      readLog: refused,
      readNotices: refused,
      restart: refused,
    }),
  ]);
  const parts = {
    gate: stage.gate,
    held: new Map([
      ["notes", 0x9a5dn],
      ["console", Approval.id],
    ]),
    supervisor: connect(mine),
  };
  const say = (name: string, argument = "") => answerCommand(parts, name, argument, never);
  return { stage, shut, say, parts };
}

test("the console knows every command of the gate, and no gate command has the name of a console command", async () => {
  const { say, parts } = session();
  const names = (await describeVocabulary(parts)).commands.map(({ name }) => name);
  const looking = ["tools", "cap", "inspect", "why", "policy"];
  const kept = ["conversations", "new", "save", "resume", "fork", "compare", "search", "export", "forget", "context"];
  const using = ["grants", "revoke", ...kept, "recall", "model", "budget", "tool"];
  expect(names).toEqual([...looking, "task", "phase", "away", "back", "parked", "status", "audit", ...using]);
  for (const name of ["sudo", "help", "exit"])
    expect(await say(name)).toEqual([`there is no command /${name}; /help lists them`]);
});

test("the vocabulary lists the commands with their arguments, and the current tools with their arguments", async () => {
  const paramSchema = '{"properties":{"path":{},"content":{}},"type":"object"}';
  const tools = [
    { ...tool("notes.read"), paramSchema },
    { ...tool("notes.write"), paramSchema: "[" },
  ];
  const { parts } = session({ tables: { tools, rows: [row("operator", [3, 4])] } });
  const words = await describeVocabulary(parts);
  expect(words.tools).toEqual([
    { name: "notes.read", service: "notes", arguments: ["path", "content"] },
    { name: "notes.write", service: "notes", arguments: [] },
  ]);
  expect(words.commands.find(({ name }) => name === "tool")?.argument).toBe("call");
  for (const { name, usage } of words.commands) expect(usage).toMatch(new RegExp(`^/${name}[ :]`));
});

test("the tests of the console's screens use the current usage texts", async () => {
  const source = readFileSync(new URL("../../../image/init/tests/screens/main.rs", import.meta.url), "utf8");
  const [, list = ""] = /const USAGES: &\[&str\] = &\[\n(.*?)\n\];/s.exec(source) ?? [];
  const drawn = list.split("\n").map((line): unknown => JSON.parse(line.trim().replace(/,$/, "")));
  // The usage texts in a session with `login passphrase`.
  const closed = [
    "/lock [MINUTES|off]: lock the session now, or after that many minutes without input; /login unlocks it",
    "/logout: log out and lock the session",
    "/passphrase: change your passphrase",
  ];
  const { commands } = await describeVocabulary(session().parts);
  expect(drawn).toEqual([...closed, ...commands.map(({ usage }) => usage)]);
});

test("/cap lists all capabilities, and /grants lists their permitted uses in the session", async () => {
  const { say } = session();
  expect(await say("cap")).toEqual(["console: interface Approval", "notes: interface Sample"]);
  expect(await say("grants")).toEqual(["notes: read auto, write consent"]);
  const none = session({ tables: { rows: [row("operator", [0, 0, 0, 0])] } });
  expect(await none.say("grants")).toEqual(["notes: nothing at present"]);
});

test("/inspect describes tools and services", async () => {
  const { say } = session();
  expect((await say("inspect", "notes.write"))[2]).toBe("mode consent, by:");
  expect(await say("inspect", "notes")).toEqual([
    "notes: interface Sample",
    "  notes.list: forbidden, notes.list for tests",
    "  notes.read: auto, notes.read for tests",
    "  notes.write: consent, notes.write for tests",
  ]);
  for (const name of ["console", "other", "notes.burn", ""]) {
    expect(await say("inspect", name)).toEqual([`${name} is no tool and no service of this session`]);
  }
});

/** A page: notes.write runs without a question until secret data was read, and `files.read` returns secret data. */
const RAISED: Partial<PolicyTables> = {
  tools: [
    tool("files.read", { readOnly: true, result: { low: SECRET, high: SECRET } }),
    tool("notes.write"),
    tool("post.send", { sink: PUBLIC }),
  ],
  decisions: [
    { clauses: [always("auto")], floors: [] },
    {
      clauses: [always("auto")],
      floors: [
        {
          conditions: [],
          confidentialityAtLeast: 2,
          integrityAtMost: 255,
          compartments: 0n,
          unattended: false,
          mode: "forbidden",
          rule: 1,
        },
      ],
    },
  ],
  rows: [row("operator", [2, 3, 2])],
};

test("/inspect names the deciding rule, and says whether a `when` holds now", async () => {
  const { say } = session({ tables: RAISED, services: ["files", "notes", "post"] });
  expect((await say("inspect", "notes.write")).slice(2, 6)).toEqual([
    "mode auto, by:",
    "  the first line (a.cap:1:1)",
    "also covered by:",
    "  the second line (a.cap:2:1), which does not hold now",
  ]);
  await say("tool", 'files.read {"path":"a"}');
  expect((await say("inspect", "notes.write")).slice(2, 6)).toEqual([
    "mode forbidden, by:",
    "  the second line (a.cap:2:1), which holds now",
    "also covered by:",
    "  the first line (a.cap:1:1)",
  ]);
});

test("/tools marks the tools that the data of the conversation blocks", async () => {
  const { say } = session({ tables: RAISED, services: ["files", "notes", "post"] });
  expect(await say("tools")).toEqual([
    "files.read: auto, mutatingLocal",
    "notes.write: auto, mutatingLocal",
    "post.send: auto, mutatingLocal",
  ]);
  await say("tool", 'files.read {"path":"a"}');
  expect(await say("tools")).toEqual([
    "files.read: auto, mutatingLocal",
    "notes.write: forbidden, mutatingLocal",
    "post.send: auto, mutatingLocal; refused now: this conversation has seen what may not flow to this tool",
  ]);
});

test("/why of a call that the label blocks names the read that raised the label", async () => {
  const { say } = session({ tables: RAISED, services: ["files", "notes", "post"] });
  const raised = [
    "the label was raised by:",
    '  files.read {"path":"a"} (call typed), from public/reviewed to secret/reviewed',
  ];
  expect(await say("why", 'post.send {"path":"b"}')).not.toContain(raised[0]);
  await say("tool", 'files.read {"path":"a"}');
  await say("tool", 'files.read {"path":"c"}');
  for (const call of ['post.send {"path":"b"}', 'notes.write {"path":"b"}']) {
    await say("tool", call);
    for (const lines of [await say("why"), await say("why", call)]) {
      expect(lines.slice(-3)).toEqual([...raised, "this conversation is at secret/reviewed"]);
    }
  }
  expect(await say("why", 'files.read {"path":"b"}')).not.toContain(raised[0]);
});

test("/why of a refused flow names the highest label of data that the tool may get; /why of a refused result names the session's clearance", async () => {
  const { say } = session({ tables: RAISED, services: ["files", "notes", "post"] });
  await say("tool", 'files.read {"path":"a"}');
  await say("tool", 'post.send {"path":"b"}');
  const rule = "rule: the label of service post: what post.send is told flows to it at public/reviewed";
  for (const lines of [await say("why"), await say("why", 'post.send {"path":"b"}')]) expect(lines).toContain(rule);
  const result = { low: PUBLIC, high: SECRET };
  const unseen = session({
    tables: {
      ...RAISED,
      tools: [tool("post.send", { provider: "post", result })],
      rows: [row("operator", [2], { clearance: PUBLIC })],
    },
  });
  expect(await unseen.say("why", 'post.send {"path":"b"}')).toContain(
    "rule: the clearance of session operator, public/reviewed: a result of post.send may be at secret/reviewed",
  );
});

test("/why names every call that raised the label, including calls whose data may flow to the tool", async () => {
  const { say } = session({
    tables: {
      ...RAISED,
      tools: [
        tool("files.read", { provider: "files", readOnly: true, result: { low: SECRET, high: SECRET } }),
        tool("post.send", { provider: "post", sink: { ...PUBLIC, integrity: 0 } }),
        tool("web.read", {
          provider: "web",
          readOnly: true,
          result: { low: { ...PUBLIC, integrity: 0 }, high: { ...PUBLIC, integrity: 0 } },
        }),
      ],
      decisions: [{ clauses: [always("auto")], floors: [] }],
      rows: [row("operator", [2, 2, 2], { clearance: { ...SECRET, integrity: 0 } })],
    },
    services: ["files", "web", "post"],
  });
  await say("tool", 'files.read {"path":"a"}');
  await say("tool", 'web.read {"path":"w"}');
  await say("tool", 'post.send {"path":"b"}');
  expect((await say("why")).slice(-4)).toEqual([
    "the label was raised by:",
    '  files.read {"path":"a"} (call typed), from public/reviewed to secret/reviewed, which hinders this call',
    '  web.read {"path":"w"} (call typed), from secret/reviewed to secret/untrusted',
    "this conversation is at secret/untrusted",
  ]);
});

test("/why says that no call raised the label if the conversation began with it", async () => {
  const rows = [row("operator", [2, 3, 2], { starts: SECRET })];
  const { say } = session({ tables: { ...RAISED, rows }, services: ["post"] });
  expect((await say("why", 'post.send {"path":"b"}')).at(-2)).toBe(
    "no call of this run raised the label: the conversation began or was taken up at secret/reviewed",
  );
});

test("/policy names every rule of the row: `when`, quotas, releases, backends and login", async () => {
  const rules = ["zero", "one", "two", "three", "four", "five", "six"].map((words, index) => {
    return { id: words, words, place: `a.cap:${index}:1` };
  });
  const release = { tools: [2], act: "declassify", from: SECRET, to: PUBLIC, gate: "stepUp", rule: 3 } as const;
  const rows = [
    row("operator", [2, 3, 2], {
      quotas: [{ ...quota("6 calls per turn"), rule: 2 }],
      releases: [0],
      backends: [{ backend: 0, mode: "auto" }],
      login: "key",
      loginRule: 5,
      principals: [0],
    }),
  ];
  const principals = [{ name: "alice", keys: ["ssh-ed25519 AAAA"], passphrase: "" }];
  const backends = [backend("canned", { quotas: [{ ...quota("9 tokens per day"), rule: 4 }] })];
  const { say, stage } = session({ tables: { ...RAISED, rules, rows, backends, principals, releases: [release] } });
  stage.gate.session.enter("alice");
  expect((await say("policy")).slice(2)).toEqual([
    "zero (a.cap:0:1)",
    "one (a.cap:1:1)",
    "two (a.cap:2:1)",
    "three (a.cap:3:1)",
    "four (a.cap:4:1)",
    "five (a.cap:5:1)",
  ]);
});

test("/revoke ends the use of the service and closes its connection; /grants, /inspect and the record show the revocation", async () => {
  const { say, shut, stage } = session();
  expect(await say("revoke", "notes")).toEqual(["notes is revoked, and its connection is shut"]);
  expect(shut).toEqual(["notes"]);
  expect(await say("tool", 'notes.read {"path":"a"}')).toEqual(["refusedByPolicy: notes was revoked"]);
  expect(stage.sent).toEqual([]);
  expect(await say("grants")).toEqual(["notes: revoked"]);
  expect((await say("inspect", "notes"))[0]).toBe("notes: interface Sample, revoked");
  expect(await say("revoke", "notes")).toEqual(["notes was revoked before"]);
  expect(stage.entries[0]).toMatchObject({ session: { name: "operator", event: "revoked", detail: "notes" } });
});

test("/revoke works in the gate even if init cannot close the connection, and reports this failure", async () => {
  const { say } = session({}, "refuses");
  expect(await say("revoke", "notes")).toEqual([
    "notes is revoked here, but its connection could not be shut: there is no such grant",
  ]);
  expect(await say("tool", 'notes.read {"path":"a"}')).toEqual(["refusedByPolicy: notes was revoked"]);
});

test("/revoke accepts services, but not the session's own neighbour processes", async () => {
  const { say, shut } = session();
  for (const name of ["console", "broker", "audit", "notes.read"]) {
    expect(await say("revoke", name)).toEqual([
      `${name} is no service of this session, and no number of a consent; /grants lists them`,
    ]);
  }
  expect(await say("revoke")).toEqual([
    "/revoke takes a service, the number of a consent, or all for every consent; /grants lists them",
  ]);
  expect(shut).toEqual([]);
});

test("/why explains the last call, or a call by its id, with its outcome", async () => {
  const { say, stage } = session({ said: ["denied"] });
  expect(await say("why")).toEqual(["nothing has been decided yet"]);
  stage.gate.session.beginTurn();
  const { turn, snapshot } = await stage.described();
  for (const [id, name] of [
    ["call-1", "notes.write"],
    ["call-2", "notes.burn"],
  ] as const) {
    await stage.gate.loopCalls.invoke(
      { conversation: "main", turn, snapshot, call: { id, name, arguments: '{"path":"a"}' } },
      never,
    );
  }
  expect(await say("why", "call-1")).toEqual([
    'notes.write {"path":"a"}',
    'decided: consent, because: consent by "the first line"',
    "rule: the first line (a.cap:1:1)",
    "outcome: deniedByUser, because: the person said no",
    "least change, after which the answer is auto:",
    "  the first line (a.cap:1:1) becomes auto",
    "what else that opens:",
    "  operator notes.write: consent → auto, with any arguments",
    "  operator notes.list: forbidden → auto",
    "only the page shows whether the laws allow it, which flows it opens, and whether less is enough; ask there:",
    `  capc why system.cap 'operator notes.write {"path":"a"}' --label public/reviewed`,
    "this conversation is at public/reviewed",
  ]);
  expect((await say("why")).slice(1, 4)).toEqual([
    "decided: unknownTool, because: no such tool is offered in this session",
    "rule: no line of the page",
    "outcome: unknownTool",
  ]);
  expect(await say("why", "call-3")).toEqual(["no call call-3 is remembered"]);
});

test("/why of a call that the broker refused states how high the quota must be to allow the call", async () => {
  const quotas = [quota("9 prompts per turn"), { ...quota("6 calls per turn"), rule: 1 }];
  const { say, stage } = session({ tables: { rows: [row("operator", [2, 3, 4, 3], { quotas })] } });
  stage.gate.session.beginTurn();
  stage.exhausted = "6 calls per turn (a.cap:2:1): 6 of 6 spent; the next turn has its own";
  await say("tool", 'notes.read {"path":"a"}');
  expect((await say("why")).slice(1, 5)).toEqual([
    'decided: auto, because: auto by "the first line"',
    "rule: the first line (a.cap:1:1)",
    `outcome: refusedByPolicy, because: used up: ${stage.exhausted}`,
    "least change, after which the answer is auto:",
  ]);
  expect(await say("why")).toContain("  the second line (a.cap:2:1) becomes 7");
});

test("/why of a call that was refused before its decision gives the reason", async () => {
  const { say, stage } = session();
  stage.gate.session.beginTurn();
  const { snapshot } = await stage.described();
  await stage.gate.loopCalls.invoke(
    { conversation: "main", turn: 7, snapshot, call: { id: "1", name: "notes.read", arguments: "{}" } },
    never,
  );
  expect((await say("why"))[1]).toBe("decided: refusedByPolicy, because: the call is of turn 7, and this is turn 1");
});

test("/policy shows the digest of the tables, and warns if the audit records another digest", async () => {
  const { say, stage } = session();
  const digest = `tables sha256 ${"03".repeat(32)}`;
  expect((await say("policy")).slice(1, 3)).toEqual([digest, expect.not.stringContaining("audit")]);
  stage.auditsDigest = new Uint8Array(32).fill(4);
  const other = `the audit records under other tables, sha256 ${"04".repeat(32)}; no call runs`;
  expect((await say("policy")).slice(1, 3)).toEqual([digest, other]);
  stage.audit.close();
  expect((await say("policy"))[2]).toMatch(/^under which tables the audit records is not known: /);
});

test("/policy decisions lists every row of the tables", async () => {
  const { say } = session();
  const lines = (await say("policy", "decisions")).map((line) => line.split("\t"));
  expect(lines[0]?.[0]).toBe("session");
  expect(lines.slice(1).map(([name, , , , tool, advertised]) => [name, tool, advertised])).toEqual([
    ["operator", "notes.list", "forbidden"],
    ["operator", "notes.read", "auto"],
    ["operator", "notes.write", "consent"],
    ["operator", "other.read", "auto"],
    ["visitor", "notes.list", "-"],
    ["visitor", "notes.read", "auto"],
    ["visitor", "notes.write", "-"],
    ["visitor", "other.read", "-"],
  ]);
  expect(await say("policy", "all")).toEqual(['/policy knows "decisions", not "all"']);
});

test("/budget asks the broker about the current conversation and turn", async () => {
  const { say, stage } = session();
  stage.gate.session.beginTurn();
  stage.gate.session.beginTurn();
  expect(await say("budget")).toEqual(["main in turn 2"]);
  stage.broker.close();
  expect(await say("budget")).toEqual(["the broker does not answer: this side closed the connection"]);
});

test.each([
  ["untilShipped", "until the collector has its oldest records"],
  ["untilExported", "until a person has exported it, run `capc audit release`, and started the machine again"],
] as const)("/status says what lets a full log accept calls again, if records are kept %s", async (keep, words) => {
  const { audit } = tables();
  const { stage, say } = session({ tables: { audit: { ...audit, keep } } });
  stage.taken = 90;
  expect((await say("status"))[1]).toBe(
    `recorded up to 0; 90 % of the log is used up, and once it is full no call runs ${words}`,
  );
});

test("/status shows the conversation and its label, the recorded part of the log and the collector's backlog", async () => {
  const { stage, say } = session();
  const place = "conversation main, turn 0, at public/reviewed, in session operator";
  expect(await say("status")).toEqual([place, "recorded up to 0; 0 % of the log is used up"]);
  stage.taken = 80;
  const soon = "80 % of the log is used up, and once it is full no call runs any more (a new data disk begins another)";
  expect((await say("status"))[1]).toBe(`recorded up to 0; ${soon}`);
  stage.shipping = "the collector has all up to 3; 2 records are not shipped: it hung up";
  stage.isDurable = false;
  expect(await say("status")).toEqual([place, "nothing is recorded durably", stage.shipping]);
  stage.refusal = "the disk is full";
  expect((await say("status"))[1]).toBe("nothing is recorded durably, and no call runs: the disk is full");
  stage.audit.close();
  expect(await say("status")).toEqual([place, "the audit does not answer: this side closed the connection"]);
});

test("/audit accepts a number within bounds, and shows the end of the chain and whether the chain still grows", async () => {
  const { say, stage } = session();
  const zeros = "0".repeat(64);
  expect(await say("audit")).toEqual([`the chain ends at 0, sha256 ${zeros}`]);
  stage.isDurable = false;
  const lost = `the chain ends at 0, sha256 ${zeros}; nothing more is recorded durably`;
  expect(await say("audit", "3")).toEqual([lost]);
  stage.refusal = "the disk is full";
  expect(await say("audit", "3")).toEqual([`${lost}, and no call runs: the disk is full`]);
  for (const wrong of ["0", "101", "-1", "1e1", "many", "1000"]) {
    expect(await say("audit", wrong)).toEqual(["/audit takes a number from 1 to 100"]);
  }
  stage.audit.close();
  expect(await say("audit")).toEqual(["the audit does not answer: this side closed the connection"]);
});

test("/tool answers only after the notice of its call is drawn, or as soon as the person stops waiting", async () => {
  const { parts, stage } = session();
  const drawing = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const order: string[] = [];
  const told = (name: string, signal: AbortSignal) =>
    answerCommand(parts, "tool", "notes.read", signal).then(() => order.push(name));
  stage.drawn = drawing.promise;
  const [waiting, stopped] = [told("waiting", never), told("stopped", stopping.signal)];
  stopping.abort();
  await stopped;
  order.push("drawn");
  drawing.resolve();
  await waiting;
  expect(order).toEqual(["stopped", "drawn", "waiting"]);
});

test("commands typed at the same time run in order, each to its end", async () => {
  const sent: string[] = [];
  const { stage, say } = session({
    serve: async (json) => {
      sent.push(json);
      await new Promise((resolve) => setImmediate(resolve));
      return { ok: true, value: json };
    },
  });
  const calls = ["1", "2", "3"].map((value) => say("tool", `notes.read {"path":"${value}"}`));
  expect(await say("tools")).toContain("notes.read: auto, mutatingLocal");
  expect(sent.length).toBeLessThan(2);
  expect(await Promise.all(calls)).toEqual([['ok: {"path":"1"}'], ['ok: {"path":"2"}'], ['ok: {"path":"3"}']]);
  expect(sent).toEqual(['{"path":"1"}', '{"path":"2"}', '{"path":"3"}']);
  expect(stage.gate.memory.findNewest("")?.outcome).toBe("ok");
});

test("at most eight commands wait, and an interrupt ends the running and the waiting commands", async () => {
  const begun = Promise.withResolvers<void>();
  const { stage, say } = session({
    serve: async (_json, { signal }) => {
      begun.resolve();
      await new Promise<void>((resolve) => signal?.addEventListener("abort", resolve));
      return { ok: false, code: "cancelled", reason: "stopped" };
    },
  });
  const calls = Array.from({ length: 9 }, () => say("tool", 'notes.read {"path":"a"}'));
  expect(await calls[8]).toEqual(["8 commands wait already; this one is not taken"]);
  await begun.promise;
  stage.gate.interrupt();
  expect((await calls[0])?.[0]).toMatch(/^cancelled: /);
  for (const call of calls.slice(1, 8)) expect(await call).toEqual(["it was given up before it began"]);
  expect(stage.sent).toEqual(['{"path":"a"}']);
});

test("/tool needs a name, and treats missing arguments as an empty object", async () => {
  const { say, stage } = session({ tables: { tools: (PAGE.tools ?? []).map((one) => ({ ...one, params: [] })) } });
  expect(await say("tool")).toEqual(["/tool needs the name of a tool"]);
  expect(await say("tool", "notes.read")).toEqual(["ok: {}"]);
  expect(stage.sent).toEqual(["{}"]);
});

test("property: each command of a person gets lines as its answer, and sends no call that is not allowed", async () => {
  const names = fc.oneof(
    fc.constantFrom("tools", "cap", "inspect", "why", "policy", "audit", "task", "phase"),
    fc.string(),
  );
  const words = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("notes.write", "call-1", "99999", "-1", "__proto__"),
  );
  await fc.assert(
    fc.asyncProperty(names, words, async (name, argument) => {
      const { say, stage } = session();
      const lines = await say(name, argument);
      expect(lines.every((line) => typeof line === "string")).toBe(true);
      expect(stage.sent).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("/why of a hypothetical call shows its decision, its rule and the other tools of that rule, but runs no call", async () => {
  const { stage, say } = session();
  const here = "this conversation is at public/reviewed";
  const line = "rule: the first line (a.cap:1:1)";
  const others = (name: string) =>
    `on that line hang also: ${["notes.list", "notes.read", "notes.write", "other.read"].filter((one) => one !== name).join(", ")}`;
  expect(await say("why", 'notes.write {"path":"a"}')).toEqual([
    'notes.write would be decided: consent, because: consent by "the first line"',
    line,
    others("notes.write"),
    "least change, after which the answer is auto:",
    "  the first line (a.cap:1:1) becomes auto",
    "what else that opens:",
    "  operator notes.write: consent → auto, with any arguments",
    "  operator notes.list: forbidden → auto",
    "only the page shows whether the laws allow it, which flows it opens, and whether less is enough; ask there:",
    `  capc why system.cap 'operator notes.write {"path":"a"}' --label public/reviewed`,
    here,
  ]);
  expect(await say("why", 'notes.list {"path":"a"}')).toEqual([
    'notes.list would be decided: refusedByPolicy, because: forbidden in this session by "the first line"',
    line,
    others("notes.list"),
    "least change, after which the answer is consent:",
    "  the first line (a.cap:1:1) becomes consent",
    "what else that opens:",
    "  operator notes.list: forbidden → consent, with any arguments",
    "only the page shows whether the laws allow it, which flows it opens, and whether less is enough; ask there:",
    `  capc why system.cap 'operator notes.list {"path":"a"}' --label public/reviewed`,
    here,
  ]);
  expect((await say("why", "notes.read {"))[0]).toMatch(/^notes\.read would be decided: invalidArguments, because: /);
  expect(await say("why", "notes.burn {}")).toEqual(["no call notes.burn is remembered"]);
  expect([stage.steps, stage.sent, stage.questions]).toEqual([[], [], []]);
});
