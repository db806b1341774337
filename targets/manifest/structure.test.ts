import { expect, test } from "vitest";
import { compileExample } from "../../compiler/dev/golden/golden.ts";
import { isRole, ROLE_NAMES, ROLES, type Role } from "../../engine/lib/roles/index.ts";
import { getInterfaceId } from "../../engine/lib/roles/interfaces.ts";
import { TextEmbedder } from "../../engine/lib/wire/generated/capos.ts";
import { HttpExchange, SyslogExit } from "../../engine/lib/wire/generated/egress.ts";
import type { Grant, Process } from "../../engine/lib/wire/generated/manifest.ts";
import { PlanGate } from "../../engine/lib/wire/generated/service.ts";
import { Files, HttpEndpoint } from "../../engine/lib/wire/generated/tools.ts";
import { AuditLog, Broker, Session, Supervisor, Terminal, ToolProxy } from "../../engine/lib/wire/generated/wire.ts";
import type { RemotePlan } from "../contract/policy.ts";
import { planProcesses } from "./processes.ts";
import { proveStructure, type StructuralProof } from "./structure.ts";

const { policy, origins } = await compileExample("first-agent");
const PLANNED = planProcesses(policy, origins);

const grant = (interfaceId: bigint, provider: string): Grant => ({
  name: "more",
  interfaceId,
  provider,
  badge: 999n,
  expiresAfterSeconds: 0,
  origin: "",
});

/** Returns the processes of the example `first-agent`, with one of them changed. */
function changed(name: string, change: (one: Process) => Partial<Process>): readonly Process[] {
  expect(PLANNED.map((one) => one.name)).toContain(name);
  return PLANNED.map((one) => (one.name === name ? { ...one, ...change(one) } : one));
}

const given = (name: string, interfaceId: bigint, provider: string) =>
  changed(name, ({ grants }) => ({ grants: [...grants, grant(interfaceId, provider)] }));

/** Returns the processes of the example `first-agent`, with another provider for one grant. */
const served = (name: string, interfaceId: bigint, provider: string) => {
  expect(PLANNED.find((one) => one.name === name)?.grants.map((one) => one.interfaceId)).toContain(interfaceId);
  return changed(name, ({ grants }) => ({
    grants: grants.map((one) => (one.interfaceId === interfaceId ? { ...one, provider } : one)),
  }));
};

function broken(processes: readonly Process[]): Partial<Record<StructuralProof["assertion"], readonly string[]>> {
  const failed = proveStructure(processes).filter((proof) => proof.broken.length > 0);
  return Object.fromEntries(failed.map((proof) => [proof.assertion, proof.broken]));
}

test("all assertions are proved for the planned processes of an example, and each proof counts the checked processes", () => {
  const proofs = proveStructure(PLANNED);
  expect(proofs.map(({ assertion, broken }) => [assertion, broken])).toEqual([
    ["audited", []],
    ["model-isolated", []],
    ["no-self-widening", []],
  ]);
  expect(proofs.map(({ sentence }) => sentence.replace(/\. .*/, "."))).toEqual([
    "Each gate (2) writes to the audit log, and only gates call tools.",
    "Models (1) only answer.",
    "Services (3) have no connection to gates, broker, console or audit, and no directory or partition of another process.",
  ]);
});

test("a grant between services of the page is allowed, and the proof states that calls through this grant are not recorded", async () => {
  const seed = await compileExample("seed-four");
  const planned = planProcesses(seed.policy, seed.origins);
  expect(broken(planned)).toEqual({});
  const [audited] = proveStructure(planned);
  expect(audited?.sentence).toContain("(changes papers) have no records of their own");
  const given = (more: Grant) =>
    broken(planned.map((one) => (one.name === "changes" ? { ...one, grants: [...one.grants, more] } : one)));
  expect(given(grant(AuditLog.id, "audit"))).toHaveProperty("no-self-widening");
  expect(given(grant(Supervisor.id, "init"))).toHaveProperty("no-self-widening");
  expect(given(grant(ToolProxy.id, "gate.operator"))).toHaveProperty("no-self-widening");
});

test("the audit process exists also without a data disk, and the proof states that there is no data disk", () => {
  const { storage: _, ...rest } = policy;
  const [audited] = proveStructure(planProcesses(rest, origins));
  expect(audited).toMatchObject({ broken: [], sentence: expect.stringContaining("There is no data disk") });
});

test.each([
  ["a model with access to a gate", given("model.canned", ToolProxy.id, "gate.operator")],
  [
    "a model with a directory",
    changed("model.canned", () => ({ files: [{ name: "data", which: "directory", directory: "weights" }] })),
  ],
  ["a loop with a service", given("loop.operator", Files.id, "notes")],
  ["a loop whose terminal is served by a service", served("loop.operator", Terminal.id, "notes")],
  ["a loop with access to the gate of another session", given("loop.visitor", ToolProxy.id, "gate.operator")],
  ["a loop with the terminal", changed("loop.operator", () => ({ files: [{ name: "t", which: "terminal" }] }))],
])("model-isolated: %s", (_, processes) => {
  expect(broken(processes)).toHaveProperty("model-isolated");
});

test.each([
  ["a service with access to the commands of a person", given("notes", Session.id, "gate.operator")],
  ["a service with access to the audit log", given("notes", AuditLog.id, "audit")],
  ["a gate with access to the commands of a person", given("gate.visitor", Session.id, "gate.operator")],
  ["a gate with access to another gate", given("gate.visitor", ToolProxy.id, "gate.operator")],
  ["a gate whose quotas are counted by the console", served("gate.visitor", Broker.id, "console")],
  ["a gate whose supervisor is a service", given("gate.visitor", Supervisor.id, "notes")],
  [
    "a service with the partition of the audit",
    changed("notes", () => ({ files: [{ name: "data", which: "partition" }] })),
  ],
  [
    "a service with the directory of another one",
    changed("journal", () => ({ files: [{ name: "data", which: "directory", directory: "notes" }] })),
  ],
])("no-self-widening: %s", (_, processes) => {
  expect(broken(processes)).toHaveProperty("no-self-widening");
});

test.each([
  ["a gate without the audit log", changed("gate.visitor", ({ grants }) => ({ grants: grants.slice(1) }))],
  ["a service with access to another one", given("journal", Files.id, "notes")],
  ["no audit", PLANNED.filter(({ role }) => role !== "audit")],
  [
    "an audit log served by another service",
    changed("gate.visitor", ({ grants }) => ({
      grants: grants.map((one) => (one.interfaceId === AuditLog.id ? { ...one, provider: "notes" } : one)),
    })),
  ],
])("audited: %s", (_, processes) => {
  expect(broken(processes)).toHaveProperty("audited");
});

test("each violation of an assertion is reported with the process and the grant", () => {
  expect(broken(given("loop.visitor", Files.id, "notes"))).toEqual({
    "model-isolated": ["loop.visitor holds more of notes"],
    audited: ["loop.visitor calls notes by itself"],
  });
});

const [canned] = policy.backends;
const FAR: RemotePlan = {
  ...{ name: canned?.name ?? "", kind: "remote", dialect: "openai", model: "m", contextTokens: 1, callsTools: true },
  scope: {
    ...{ places: [{ scheme: "https", host: "a.example", port: 443, path: "/v1/chat/completions" }], methods: ["POST"] },
    ...{ requestBytes: 1, responseBytes: 1, milliseconds: 1, pins: [], secret: "", secretInTheClear: false },
  },
};
const REACHING = planProcesses({ ...policy, backends: [FAR] }, origins);
const far = (change: (one: Process) => Partial<Process>) =>
  REACHING.map((one) => (one.role === "model-remote" ? { ...one, ...change(one) } : one));

test("a remote model has a grant of one address, and the proof states this", () => {
  expect(REACHING.map(({ role }) => role)).toContain("egress");
  expect(broken(REACHING)).toEqual({});
  const [, isolated] = proveStructure(REACHING);
  expect(isolated?.sentence).toContain("no capability, except that each remote model (1) has one address of the page");
});

test.each([
  ["two addresses", far(({ grants }) => ({ grants: [...grants, grant(HttpExchange.id, "egress")] }))],
  ["an endpoint of the same process", far(() => ({ grants: [grant(HttpEndpoint.id, "egress")] }))],
  ["a gate", far(() => ({ grants: [grant(ToolProxy.id, "gate.operator")] }))],
  ["a file", far(() => ({ files: [{ name: "data", which: "directory", directory: "models" }] }))],
])("`model-isolated` fails for a remote model with %s", (_, graph) => {
  expect(Object.keys(broken(graph))).toContain("model-isolated");
});

const SEALED = planProcesses(
  { ...policy, backends: [{ ...FAR, scope: { ...FAR.scope, secret: "frontier" } }] },
  origins,
);
const opener = { name: "opener", which: "key", key: "secrets" } as const;
const handed = (graph: readonly Process[], name: string, file: Process["files"][number]) =>
  graph.map((one) => (one.name === name ? { ...one, files: [...one.files, file] } : one));

test("only egress has the key for sealed secrets, and the proof states this if there are secrets", () => {
  const said = (graph: readonly Process[]) => proveStructure(graph)[2]?.sentence.includes("Only egress has the key");
  expect(broken(SEALED)).toEqual({});
  expect([said(SEALED), said(REACHING), said(PLANNED)]).toEqual([true, false, false]);
});

test.each([
  ["a service and egress", handed(SEALED, "notes", opener), "notes is handed the key secrets"],
  ["only a service", handed(REACHING, "notes", opener), "notes is handed the key secrets"],
  ["a model", handed(REACHING, "loop.operator", opener), "loop.operator is handed the key secrets"],
  ["egress twice", handed(SEALED, "egress", { ...opener, name: "more" }), "egress is handed the key secrets"],
  [
    "egress with a different key",
    handed(REACHING, "egress", { ...opener, key: "disk" }),
    "egress is handed the key disk",
  ],
])("`no-self-widening` fails if %s gets a key for sealed secrets", (_, graph, words) => {
  expect(broken(graph)["no-self-widening"]).toContain(words);
});

test("an audit process with a collector has a grant of one address, and the proof states this", () => {
  const place = { scheme: "https" as const, host: "logs.example", port: 443, path: "/v1/logs" };
  const limits = {
    requestBytes: 1024,
    responseBytes: 1024,
    milliseconds: 1000,
    pins: [],
    secret: "",
    secretInTheClear: false,
  };
  const collector = { places: [place], methods: ["POST" as const], ...limits };
  const processes = planProcesses({ ...policy, collector }, origins);
  expect(broken(processes)).toEqual({});
  const syslog = { ...collector, places: [{ ...place, scheme: "syslog+tls" as const, path: "/" }] };
  const told = planProcesses({ ...policy, collector: syslog }, origins);
  expect(broken(told)).toEqual({});
  const outside = told
    .find(({ name }) => name === "audit")
    ?.grants.map(({ interfaceId, provider }) => [interfaceId, provider]);
  expect(outside).toEqual([[SyslogExit.id, "egress"]]);
  expect(proveStructure(processes)[0]?.sentence).toContain("The audit sends records to one address");
  const names = processes.map(({ name }) => name);
  expect(names.indexOf("egress")).toBeLessThan(names.indexOf("audit"));
  const more = (name: string) =>
    processes.map((one) =>
      one.name === name ? { ...one, grants: [...one.grants, grant(HttpEndpoint.id, "egress")] } : one,
    );
  expect(broken(more("audit"))).toEqual({ audited: ["audit calls egress by itself"] });
  expect(broken(more("broker"))).toEqual({
    audited: ["broker calls egress by itself"],
    "no-self-widening": ["broker holds more of egress"],
  });
});

test("an embedder has no grants, only the store of conversations may call it, and any other grant is a violation", async () => {
  const embedded = await compileExample("found-by-meaning");
  const planned = planProcesses(embedded.policy, embedded.origins);
  const held = (name: string) => planned.find((one) => one.name === name)?.grants.map(({ provider }) => provider);
  expect([held("embedder.near"), held("conversations")]).toEqual([[], ["embedder.near"]]);
  expect(
    planned.flatMap(({ name, grants }) => (grants.some(({ provider }) => provider === "embedder.near") ? [name] : [])),
  ).toEqual(["conversations"]);
  expect(broken(planned)).toEqual({});
  const given = (name: string, more: Grant) =>
    broken(planned.map((one) => (one.name === name ? { ...one, grants: [...one.grants, more] } : one)));
  expect(given("embedder.near", grant(Files.id, "notes"))).toHaveProperty("model-isolated");
  expect(given("conversations", grant(Files.id, "notes"))).toHaveProperty("model-isolated");
  expect(given("loop.operator", grant(TextEmbedder.id, "embedder.near"))).toHaveProperty("model-isolated");
});

test("an executor of plans has a grant of only one gate, which no other process may use, and the proof states this", async () => {
  const plans = await compileExample("action-plans");
  const planned = planProcesses(plans.policy, plans.origins);
  const held = (name: string) => planned.find((one) => one.name === name)?.grants;
  expect(held("plans")).toMatchObject([{ name: "robots", interfaceId: PlanGate.id, provider: "gate.robots" }]);
  expect(held("clerk")).toMatchObject([{ provider: "plans" }]);
  expect(planned.map(({ name }) => name)).not.toContain("loop.robots");
  expect(broken(planned)).toEqual({});
  expect(proveStructure(planned)[2]?.sentence).toContain(
    "(except that each executor of plans, 1, proposes calls to one gate, which decides them)",
  );
  const given = (name: string, more: Grant, processes = planned) =>
    broken(processes.map((one) => (one.name === name ? { ...one, grants: [...one.grants, more] } : one)));
  // With the loop of the operator, other assertions would also report the violation, so the loop is removed.
  const silent = planned.filter(({ name }) => name !== "loop.operator");
  expect(broken(silent)).toEqual({});
  expect(given("plans", grant(PlanGate.id, "gate.operator"), silent)).toEqual({
    "no-self-widening": ["plans proposes to more than one gate"],
  });
  for (const [name, more] of [
    ["plans", grant(Files.id, "papers")],
    ["plans", grant(ToolProxy.id, "gate.robots")],
    ["plans", grant(Session.id, "gate.robots")],
    ["plans", grant(PlanGate.id, "papers")],
    ["clerk", grant(PlanGate.id, "gate.robots")],
    ["papers", grant(PlanGate.id, "gate.robots")],
    ["gate.operator", grant(PlanGate.id, "gate.robots")],
    ["loop.operator", grant(ToolProxy.id, "gate.robots")],
  ] as const)
    expect(Object.keys(given(name, more)), `${name} with ${more.interfaceId} of ${more.provider}`).not.toEqual([]);
});

const EXAMPLES = ["action-plans", "first-agent", "found-by-meaning", "own-tool", "remote-agent", "seed-four"];
const GRAPHS = await Promise.all(
  EXAMPLES.map(async (name) => {
    const example = await compileExample(name);
    return planProcesses(example.policy, example.origins);
  }),
);
const SERVED = [...new Set(ROLE_NAMES.flatMap((role) => ROLES[role].serves))];

/**
 * Returns interfaces that the table of roles does not list for a role. A process of the role could get each of them
 * without violating an assertion. Returns `undefined` if no example has a process of the role.
 */
function findUnclaimed(role: Role): readonly string[] | undefined {
  const graph = GRAPHS.find((processes) => processes.some((one) => one.role === role));
  const holder = graph?.find((one) => one.role === role);
  if (graph === undefined || holder === undefined) return undefined;
  return SERVED.filter((face) => !ROLES[role].holds.includes(face)).filter((face) => {
    const server = graph.find((one) => one !== holder && isRole(one.role) && ROLES[one.role].serves.includes(face));
    const more = grant(getInterfaceId(face), server?.name ?? "gate.nobody");
    return proveStructure(graph.map((one) => (one === holder ? { ...one, grants: [...one.grants, more] } : one))).every(
      (proof) => proof.broken.length === 0,
    );
  });
}

test.each(ROLE_NAMES)(
  "any grant of a process of the role %s that its row does not list violates an assertion",
  (role) => {
    expect(findUnclaimed(role), `EXAMPLES starts no ${role}: name an example that does`).toEqual([]);
  },
);
