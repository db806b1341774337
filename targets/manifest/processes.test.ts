import { expect, test } from "vitest";
import { always, backend, PUBLIC, row, tables, tool } from "../../engine/lib/policy/testing/sample.ts";
import type { Process } from "../../engine/lib/wire/generated/manifest.ts";
import { Files, Logs, Scratch, Status } from "../../engine/lib/wire/generated/tools.ts";
import { Session, Supervisor } from "../../engine/lib/wire/generated/wire.ts";
import { readWithin } from "../../engine/processes/services/files/folder-scope.ts";
import { createSourceText, makeSpan } from "../../lang/text/index.ts";
import type { Origins, Policy, ServicePlan } from "../contract/policy.ts";
import { planProcesses } from "./processes.ts";

const page = createSourceText("system.cap", "operator\nvisitor\nservices\n");
const [operator, visitor, elsewhere] = [makeSpan(page, 0, 8), makeSpan(page, 9, 7), makeSpan(page, 17, 8)];
const origins: Origins = {
  rules: [],
  sessions: new Map([
    ["operator", operator],
    ["visitor", visitor],
  ]),
  services: new Map(["books", "journal", "machine", "notes"].map((name) => [name, elsewhere])),
  backends: new Map(["canned", "other", "unused"].map((name) => [name, elsewhere])),
  principals: new Map(),
};

const INTERFACES = { files: Files.id, logs: Logs.id, scratch: Scratch.id, status: Status.id } as const;
function service(name: string, implementation: keyof typeof INTERFACES): ServicePlan {
  const interfaceId = INTERFACES[implementation];
  return { name, interfaceName: "", interfaceId, implementation, stateBytes: 1024, label: PUBLIC };
}

/** In the policy of these tests, `operator` may use all services except `books`, and `visitor` may only read `notes`. */
function policy(changes: Partial<Policy> = {}): Policy {
  return {
    secrets: [],
    embedders: [],
    tables: tables({
      tools: ["books.read", "journal.tail", "machine.show", "notes.read"].map((name) => tool(name)),
      decisions: [
        { clauses: [always("auto")], floors: [] },
        { clauses: [always("consent"), always("forbidden")], floors: [] },
      ],
      backends: ["canned", "other", "unused"].map((name) => backend(name)),
      rows: [
        row("operator", [3, 2, 2, 2], { backends: [{ backend: 0, mode: "auto" }] }),
        row("visitor", [0, 1, 0, 2], { backends: [{ backend: 1, mode: "auto" }] }),
      ],
    }),
    services: [
      service("books", "files"),
      service("journal", "logs"),
      service("machine", "status"),
      service("notes", "files"),
    ],
    backends: ["canned", "other", "unused"].map((name) => ({ name, kind: "stub" })),
    storage: { disk: "capos-data", encrypted: false, create: false },
    image: {
      target: "linux",
      machine: "vm",
      console: "serial",
      firmware: ["bios"],
      trust: "media",
      memoryBytes: 2 ** 29,
      boot: "operator",
    },
    ...changes,
  };
}

function drawn({ uid, name, role, grants, files }: Process): readonly string[] {
  return [
    `${uid} ${name} (${role})`,
    ...grants.map((grant) => `${grant.badge} ${grant.name} of ${grant.provider}, ${grant.origin}`),
    ...files.map((file) => `${file.name} ${file.which}`),
  ];
}

test("the whole graph of processes has the expected order, uids, badges and grants, and nothing else", () => {
  expect(planProcesses(policy(), origins).map(drawn)).toEqual([
    ["2000 audit (audit)", "tables blob", "log partition"],
    ["2001 broker (broker)", "1 audit of audit, system.cap:1:1", "tables blob", "data directory"],
    ["2002 books (files)", "data directory"],
    ["2003 journal (logs)", "2 supervisor of init, system.cap:3:1"],
    ["2004 machine (status)", "3 supervisor of init, system.cap:3:1"],
    ["2005 notes (files)", "data directory"],
    ["2006 model.canned (model)", "replies blob"],
    ["2007 model.other (model)", "replies blob"],
    ["2008 conversations (conversations)", "data directory"],
    [
      "2009 console (console)",
      "4 session.operator of gate.operator, system.cap:1:1",
      "5 session.visitor of gate.visitor, system.cap:2:1",
      "6 supervisor of init, system.cap:1:1",
      "terminal terminal",
    ],
    [
      "2010 gate.operator (gate)",
      "7 audit of audit, system.cap:1:1",
      "8 broker of broker, system.cap:1:1",
      "9 console of console, system.cap:1:1",
      "10 conversations of conversations, system.cap:1:1",
      "11 model.canned of model.canned, system.cap:3:1",
      "12 supervisor of init, system.cap:1:1",
      "13 journal of journal, system.cap:3:1",
      "14 machine of machine, system.cap:3:1",
      "15 notes of notes, system.cap:3:1",
      "tables blob",
    ],
    [
      "2011 loop.operator (loop)",
      "16 console of console, system.cap:1:1",
      "17 conversations of conversations, system.cap:1:1",
      "18 gate of gate.operator, system.cap:1:1",
      "19 model.canned of model.canned, system.cap:3:1",
    ],
    [
      "2012 gate.visitor (gate)",
      "20 audit of audit, system.cap:2:1",
      "21 broker of broker, system.cap:2:1",
      "22 console of console, system.cap:2:1",
      "23 conversations of conversations, system.cap:2:1",
      "24 model.other of model.other, system.cap:3:1",
      "25 supervisor of init, system.cap:2:1",
      "26 notes of notes, system.cap:3:1",
      "tables blob",
    ],
    [
      "2013 loop.visitor (loop)",
      "27 console of console, system.cap:2:1",
      "28 conversations of conversations, system.cap:2:1",
      "29 gate of gate.visitor, system.cap:2:1",
      "30 model.other of model.other, system.cap:3:1",
    ],
  ]);
});

test("the boot session comes first, whatever the names of the sessions", () => {
  const boots = planProcesses(
    policy({
      image: {
        target: "linux",
        machine: "vm",
        console: "serial",
        firmware: ["bios"],
        trust: "media",
        memoryBytes: 2 ** 29,
        boot: "visitor",
      },
    }),
    origins,
  );
  const names = boots.map(({ name }) => name).filter((name) => /^(gate|loop)\./.test(name));
  expect(names).toEqual(["gate.visitor", "loop.visitor", "gate.operator", "loop.operator"]);
});

test("without storage, the audit process exists and gets only the policy tables as a file", () => {
  const { storage, ...rest } = policy();
  expect(storage).toBeDefined();
  const audit = planProcesses(rest, origins).find(({ name }) => name === "audit");
  expect(audit?.files.map(({ name }) => name)).toEqual(["tables"]);
});

test("a session without a backend has a gate and no loop", () => {
  const { tables: given, ...rest } = policy();
  const rows = given.rows.map((one) => (one.session === "visitor" ? { ...one, backends: [] } : one));
  const processes = planProcesses({ ...rest, tables: { ...given, rows } }, origins);
  const names = processes.map(({ name }) => name);
  expect([names.includes("gate.visitor"), names.includes("loop.visitor")]).toEqual([true, false]);
  expect(processes.find(({ name }) => name === "gate.visitor")?.arguments.slice(-2)).toEqual(["--session", "visitor"]);
});

test("the gate and the model have the same model id, which is derived from the replies", () => {
  const replies = { path: "replies.json", bytes: Buffer.from("[]\n") };
  const processes = planProcesses(policy({ backends: [{ name: "canned", kind: "stub", replies }] }), origins);
  // The digest is the output of: printf '[]\n' | sha256sum
  const id = "stub:sha256-37517e5f3dc66819f61f5a7bb8ace1921282415f10551d2defa5c3eb0985b570";
  const words = (name: string) => processes.find((one) => one.name === name)?.arguments ?? [];
  expect(words("model.canned").slice(-2)).toEqual(["--id", id]);
  expect(words("gate.operator").slice(-6)).toEqual(["--session", "operator", "--backend", "canned", "--model", id]);
});

test("only the console, the gates, and services that report the state of init have a grant of init", () => {
  const holders = planProcesses(policy(), origins).filter(({ grants }) =>
    grants.some(({ provider }) => provider === "init"),
  );
  expect(holders.map(({ name }) => name)).toEqual(["journal", "machine", "console", "gate.operator", "gate.visitor"]);
  for (const { interfaceId } of holders.flatMap(({ grants }) => grants.filter(({ provider }) => provider === "init"))) {
    expect(interfaceId).toBe(Supervisor.id);
  }
});

test("a provider comes before its holders, except that the console comes before the gates of its sessions", () => {
  const processes = planProcesses(policy(), origins);
  const names = processes.map(({ name }) => name);
  for (const { name, grants } of processes) {
    for (const { provider } of grants) {
      if (provider === "init" || name === "console") continue;
      expect(names.indexOf(provider), `${provider} before ${name}`).toBeLessThan(names.indexOf(name));
    }
  }
});

test("the grants of a session with a login timeout expire after this timeout, rounded up to a second", () => {
  const { tables: given, ...rest } = policy();
  const timeouts = { callMs: 0, turnMs: 0, loginMs: 1_800_001, idleMs: 0 };
  const rows = given.rows.map((one) => (one.session === "operator" ? { ...one, timeouts } : one));
  const processes = planProcesses({ ...rest, tables: { ...given, rows } }, origins);
  const timed = processes.flatMap(({ name, grants }) =>
    grants
      .filter(({ expiresAfterSeconds }) => expiresAfterSeconds > 0)
      .map((grant) => `${name}: ${grant.name} ${grant.expiresAfterSeconds} s`),
  );
  expect(timed).toEqual(["journal", "machine", "notes"].map((service) => `gate.operator: ${service} 1801 s`));
});

test("a program of the package gets its code and its methods, and it gets a directory only if it has state", () => {
  const methods = {
    schemaVersion: 1,
    toolList: new Uint8Array(),
    held: [],
    interfaceId: Files.id,
    interfaceName: "ledger.Ledger",
    methods: [],
  };
  const own = { path: "services/books.js", bytes: Buffer.from("export default {}"), methods };
  const drafted = (stateBytes: number) => {
    const services = [{ ...service("books", "files"), implementation: "own" as const, own, stateBytes }];
    return planProcesses(policy({ services }), origins).find(({ name }) => name === "books");
  };
  const blobs = [
    { name: "program", which: "blob", blob: "program.books" },
    { name: "methods", which: "blob", blob: "methods.books" },
  ];
  expect(drafted(0)).toMatchObject({ role: "own", grants: [], files: blobs });
  expect(drafted(4096)?.files).toEqual([...blobs, { name: "data", which: "directory", directory: "books" }]);
  expect(drafted(4096)?.arguments.slice(-2)).toEqual(["--state-bytes", "4096"]);
});

test("a service has the grants of the page, starts after the granted services, and may be limited to folders", () => {
  const held = { name: "notes", interfaceId: Files.id };
  const services = [
    { ...service("books", "files"), implementation: "own" as const, holds: [held] },
    { ...service("notes", "files"), within: [{ holder: "books", folders: ["/a b/ü", "/c:d,e"] }] },
  ];
  const processes = planProcesses(policy({ services }), origins);
  const names = processes.map(({ name }) => name);
  expect(names.indexOf("notes")).toBeLessThan(names.indexOf("books"));
  const [books, notes] = ["books", "notes"].map((name) => processes.find((one) => one.name === name));
  expect(books?.grants).toMatchObject([
    { name: "notes", interfaceId: Files.id, provider: "notes", expiresAfterSeconds: 0 },
  ]);
  expect(notes?.arguments.at(-1)).toBe("--within=books=/a%20b/%C3%BC:/c%3Ad%2Ce");
  // From this argument, the program must read the same folders of the grant.
  expect(readWithin([notes?.arguments.at(-1)?.slice("--within=".length) ?? ""])).toEqual(
    new Map([["books", [["a b", "ü"], ["c:d,e"]]]]),
  );
});

test("a service of scratch files runs the program `files` with the flag `--scratch`", () => {
  const services = [service("books", "scratch")];
  const books = planProcesses(policy({ services }), origins).find(({ name }) => name === "books");
  expect(books).toMatchObject({ role: "files", grants: [], files: [{ which: "directory", directory: "books" }] });
  expect(books?.arguments.slice(-3)).toEqual(["--scratch", "--state-bytes", "1024"]);
});

test("every directory of a service has a size limit, and no other process has a size limit", () => {
  const scratch = policy({
    services: [...policy().services.filter(({ name }) => name !== "notes"), service("notes", "scratch")],
  });
  for (const planned of [planProcesses(policy(), origins), planProcesses(scratch, origins)]) {
    const bounded = planned.filter(({ stateMaxBytes }) => stateMaxBytes > 0n).map(({ name }) => name);
    expect(bounded).toEqual(["books", "notes"]);
  }
  // Two sessions can use the scratch service, so its limit is twice as high.
  const [one, two] = [planProcesses(policy(), origins), planProcesses(scratch, origins)].map(
    (planned) => planned.find(({ name }) => name === "notes")?.stateMaxBytes,
  );
  expect(two).toBe(2n * (one ?? 0n));
});

test("a process with a grant that its role does not allow is reported as a defect", () => {
  const notes = { ...service("notes", "files"), interfaceId: Session.id };
  expect(() => planProcesses(policy({ services: [notes] }), origins)).toThrow(
    "is granted notes, which the role gate does not hold",
  );
});
