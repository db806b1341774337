import { expect, test } from "vitest";
import { bindModel, type Files, renderFactsPage } from "../../compiler/dev/fixtures/facts.ts";
import { testSurroundings } from "../../compiler/dev/fixtures/surroundings.ts";
import { lower, resolveSessions, type WeightsHead } from "../../compiler/phases/policy/index.ts";
import { ROLES, type Role } from "../../engine/lib/roles/index.ts";
import {
  computeNeeds,
  countOwnDescriptors,
  findUsableServices,
  formatSize,
  getMachineMemory,
  initDescriptors,
  MACHINE_BYTES,
  type Needs,
} from "./memory.ts";
import type { Policy } from "./policy.ts";

// Each test compares the counts that `computeNeeds` returns with a list, written by hand, of the processes and
// connections of a page. `targets/manifest/needs.test.ts` compares the same counts with the planned processes.

const MIB = 1024 * 1024;
const FILES: Files = { "/board.js": "export default {};" };
const HEADER: WeightsHead["header"] = {
  ...{ arch: "llama", name: "", quantisation: "q4_0", mostNumbers: "q4_0", contextTokens: 8192, tensors: 1 },
  ...{ vocabulary: 1, knowsChatMl: true, reluctance: 0, copying: 0 },
};

type Page = Parameters<typeof renderFactsPage>[0];

/**
 * Returns the policy of a page, which may have errors that compiler/rules would refuse. `weights` is the size in bytes of the page's
 * weights; 0 if they were not read.
 */
async function policyOf(page: Page, weights = 0): Promise<Policy> {
  const model = await bindModel(renderFactsPage(page), FILES);
  const read = weights === 0 ? [] : model.backends.flatMap(({ model, embedder }) => [model, embedder]);
  const head = { file: "/real.gguf", bytes: weights, header: HEADER };
  const heads = new Map(read.flatMap((one) => (one === undefined ? [] : [[one, head]])));
  const { provided } = testSurroundings;
  return lower({ model, resolution: resolveSessions(model), provided, heads }).policy;
}

const needsOf = async (page: Page, weights = 0) => computeNeeds(await policyOf(page, weights));

const rolesOf = ({ processes }: Needs) => Object.fromEntries(processes.map(({ name, role }) => [name, role]));
const namesOf = ({ processes }: Needs) => processes.map(({ name }) => name).sort();
const memoryOf = ({ processes }: Needs, name: string) => processes.find((one) => one.name === name)?.memoryBytes;

/**
 * Checks the computed numbers of descriptors. A process gets one for each connection in `connections` (lines such as
 * `holder>provider …`), and one for each of its files, which `files` counts.
 */
function compare(needs: Needs, files: Readonly<Record<string, number>>, connections: readonly string[]): void {
  const pairs = connections.flatMap((line) => {
    const [holder = "", providers = ""] = line.split(">");
    return providers.split(" ").map((provider) => [holder, provider]);
  });
  const ends = pairs.flat();
  // init is not a process of the manifest, so its connections are not counted.
  const names = new Set([...Object.keys(files), ...ends].filter((name) => name !== "init"));
  const counted = [...names].map((name) => [name, (files[name] ?? 0) + ends.filter((end) => end === name).length]);
  expect(Object.fromEntries(needs.processes.map(({ name, given }) => [name, given]))).toEqual(
    Object.fromEntries(counted),
  );
  expect(needs.descriptors).toBe(initDescriptors(needs.processes.length, pairs.length));
}

const STORED = 'storage { disk "capos-data" }';
const IMAGE = "image { target linux  machine vm  boot operator }";
const session = (name: string, models: string, permit = "auto *") =>
  `session ${name} { kind operator  models { ${models} }  permit { ${permit} } }`;

const BASE_FILES = { audit: 2, broker: 1, "gate.operator": 1, "model.canned": 1 };
const BASE = [
  "broker>audit",
  "init>audit",
  "console>init gate.operator",
  "gate.operator>audit broker console init notes model.canned conversations",
  "loop.operator>console gate.operator model.canned conversations",
];

test("the smallest page starts eight processes, and each connection is counted for both processes that it connects", async () => {
  const needs = await needsOf({});
  expect(rolesOf(needs)).toEqual({
    ...{ audit: "audit", broker: "broker", notes: "files", "model.canned": "model", conversations: "conversations" },
    ...{ console: "console", "gate.operator": "gate", "loop.operator": "loop" },
  });
  compare(needs, BASE_FILES, BASE);
  // Three artefacts are the tables, the list of parts and the egress table. One is the file of canned replies. Four belong to the model:
  // card, weights, states and list of states.
  expect(needs.artefacts).toBe(3 + 1 + 4);
});

test("without a data disk the audit process has no partition", async () => {
  compare(await needsOf({ rest: IMAGE }), { ...BASE_FILES, audit: 1 }, BASE);
});

test("each session has a gate, and a loop only if a backend may answer", async () => {
  const sessions = [session("operator", "auto canned"), session("mute", "forbidden canned", "forbidden *")].join("\n");
  const needs = await needsOf({ sessions });
  compare(needs, { ...BASE_FILES, "gate.mute": 1 }, [
    ...BASE,
    "console>gate.mute",
    "gate.mute>audit broker console init",
  ]);
  expect(namesOf(needs)).toContain("gate.mute");
  expect(namesOf(needs)).not.toContain("loop.mute");
});

test("a session with several rows has one gate and one loop", async () => {
  const more = "task one in operator { only readOnly }  task two in operator { only readOnly }";
  const needs = await needsOf({ sessions: `${session("operator", "auto canned")} ${more}` });
  compare(needs, BASE_FILES, BASE);
});

test("a page without a model for any session has no conversations, no loop and no model process", async () => {
  const needs = await needsOf({ sessions: session("operator", "forbidden canned") });
  expect(namesOf(needs)).toEqual(["audit", "broker", "console", "gate.operator", "notes"]);
  const { audit, broker, "gate.operator": gate } = BASE_FILES;
  compare(needs, { audit, broker, "gate.operator": gate }, [
    ...BASE.slice(0, 3),
    "gate.operator>audit broker console init notes",
  ]);
  expect(needs.artefacts).toBe(3 + 1);
});

test("a gate is connected only to services with a tool that can run", async () => {
  const needs = await needsOf({ permit: "auto readOnly in Status  forbidden notes.*", services: SERVICES });
  expect(namesOf(needs)).toEqual(expect.arrayContaining(["machine", "notes"]));
  const without = "gate.operator>audit broker console init model.canned conversations";
  const connections = BASE.map((line) => (line.startsWith("gate.operator>") ? without : line));
  compare(needs, { ...BASE_FILES, notes: 0 }, [...connections, "gate.operator>machine", "machine>init"]);
});

const SERVICES = "service notes : Files { state 1 MiB }  service machine : Status {}";

test("a service is usable if one of its tools can run with some arguments", async () => {
  const [notes, other] = ["notes", "other"];
  const usable = async (permit: string, rest = "") => {
    const { tables } = await policyOf({
      services: "service notes : Files { state 1 MiB }  service other : Files { state 1 MiB }",
      sessions: `session operator { kind operator  models { auto canned }  permit { ${permit} } ${rest} }`,
    });
    return [...findUsableServices(tables, tables.rows)].sort();
  };
  expect(await usable("auto notes.read")).toEqual([notes]);
  expect(await usable("forbidden notes.read")).toEqual([]);
  expect(await usable("forbidden notes.read  consent other.read")).toEqual([other]);
  expect(await usable("auto *", "suppress notes.*")).toEqual([other]);
  expect(await usable('auto notes.read where path under "/a" else forbidden')).toEqual([notes]);
  expect(await usable('forbidden notes.read where path under "/a" else auto')).toEqual([notes]);
  expect(await usable('forbidden notes.read where path under "/a" else forbidden')).toEqual([]);
  // If a rule with a condition and a rule without a condition name the same tool, the rule with the condition decides alone.
  const both = 'auto notes.read where path under "/a" else forbidden  forbidden notes.read';
  expect(await usable(both)).toEqual([notes]);
});

test("the process of a module has two files (its program and its methods), and a connection for each grant", async () => {
  const needs = await needsOf({
    top: "interface Board { method post : mutatingLocal }",
    services: `service notes : Files { state 1 MiB }  service board : Board { exec "board.js"  grant notes }`,
    sessions: session("operator", "auto canned"),
  });
  expect(rolesOf(needs)).toMatchObject({ board: "own" });
  compare(needs, { ...BASE_FILES, board: 2 }, [...BASE, "gate.operator>board", "board>notes"]);
  expect(needs.artefacts).toBe(3 + 1 + 4 + 2);
});

test("an executor of plans is connected to the gate of its session", async () => {
  const needs = await needsOf({
    services: "service notes : Files { state 1 MiB }  service plans : ActionPlans { grant operator }",
    sessions: session("operator", "auto canned"),
  });
  compare(needs, { ...BASE_FILES, plans: 2 }, [...BASE, "gate.operator>plans", "plans>gate.operator"]);
});

test("only services that send requests to init are connected to init", async () => {
  const services = `service notes : Files { state 1 MiB }  service log : Logs { label internal/untrusted }
    service scratch : Scratch { state 1 MiB }  service all : Services {}`;
  const needs = await needsOf({ services, sessions: session("operator", "auto canned") });
  compare(needs, BASE_FILES, [...BASE, "gate.operator>log scratch all", "log>init", "all>init"]);
});

const WEB = (words: string) =>
  `service notes : Files { state 1 MiB }
   service web : HttpEndpoint { label public/untrusted  grant HttpEndpoint scope "https://a.example", "GET"${words} }
   service more : HttpEndpoint { label public/untrusted  grant HttpEndpoint scope "https://b.example", "GET" }`;
const NETWORK = "network { address dhcp }";

test("all services that contact servers share one egress process, which gets a key file if a service sends a credential", async () => {
  const sessions = session("operator", "auto canned");
  const page = (words: string) => ({ services: WEB(words), sessions, rest: `${NETWORK}  ${STORED}  ${IMAGE}` });
  const plain = await needsOf(page(""));
  const connections = [...BASE, "gate.operator>egress egress"];
  compare(plain, { ...BASE_FILES, egress: 1 }, connections);
  expect(namesOf(plain)).not.toContain("web");
  expect(rolesOf(plain)).toMatchObject({ egress: "egress" });
  compare(await needsOf(page(', "token vault.house"')), { ...BASE_FILES, egress: 2 }, connections);
});

test("the audit process reaches a collector through egress, which gets a key file if the page names a credential for the collector", async () => {
  const page = (words: string) => ({ rest: `network { address dhcp  collector ${words} }  ${STORED}  ${IMAGE}` });
  const connections = [...BASE, "audit>egress"];
  compare(await needsOf(page('"https://a.example"')), { ...BASE_FILES, egress: 1 }, connections);
  const known = await needsOf(page('"https://a.example", "token vault.house"'));
  compare(known, { ...BASE_FILES, egress: 2 }, connections);
});

const REMOTE = (token: string) => `backend canned { stub }
  backend far { remote openai "https://llm.example.net"  model served ${token} }`;
const SERVED = 'model served { served "m" }';

test("a remote model is reached through egress, and an unused backend starts no process", async () => {
  const page = (token: string, models: string) => ({
    top: SERVED,
    backends: REMOTE(token),
    sessions: session("operator", models),
    rest: `${NETWORK}  ${STORED}  ${IMAGE}`,
  });
  const used = await needsOf(page("", "auto canned  stepUp far"));
  expect(rolesOf(used)).toMatchObject({ "model.far": "model-remote", egress: "egress" });
  const connections = [...BASE, "gate.operator>model.far", "loop.operator>model.far", "model.far>egress"];
  compare(used, { ...BASE_FILES, egress: 1 }, connections);
  expect(used.artefacts).toBe(3 + 1 + 2 * 4);
  const known = await needsOf(page("token vault.far", "auto canned  stepUp far"));
  compare(known, { ...BASE_FILES, egress: 2 }, connections);
  for (const models of ["auto canned", "auto canned  forbidden far"])
    compare(await needsOf(page("token vault.far", models)), BASE_FILES, BASE);
  // Egress gets no file with the key of sealed credentials: the web service sends no credential, and no session uses
  // the backend `far`, whose token is therefore left out.
  const beside = await needsOf({ ...page("token vault.far", "auto canned"), services: WEB("") });
  compare(beside, { ...BASE_FILES, egress: 1 }, [...BASE, "gate.operator>egress egress"]);
});

test("a backend of two sessions is one process, connected to each of them", async () => {
  const needs = await needsOf({
    sessions: [session("operator", "auto canned"), session("other", "auto canned")].join("\n"),
  });
  compare(needs, { ...BASE_FILES, "gate.other": 1 }, [
    ...BASE,
    "console>gate.other",
    "gate.other>audit broker console init notes model.canned conversations",
    "loop.other>console gate.other model.canned conversations",
  ]);
  expect(needs.artefacts).toBe(3 + 1 + 4);
});

const LOCAL = (words: string): Page => ({
  top: 'model small { weights "small.gguf" }',
  backends: `backend canned { stub }  backend near { cpu  model small  ${words} }`,
  sessions: session("operator", "auto canned  auto near"),
});
const USUAL = ROLES["model-local"].memory.usual;

test("a local model gets the memory that it needs, or less if the page sets a lower limit", async () => {
  const needs = await needsOf(LOCAL(""), 100 * MIB);
  expect(rolesOf(needs)).toMatchObject({ "model.near": "model-local" });
  compare(needs, { ...BASE_FILES, "model.near": 2 }, [...BASE, "gate.operator>model.near", "loop.operator>model.near"]);
  const near = async (words: string, weights: number) => memoryOf(await needsOf(LOCAL(words), weights), "model.near");
  expect(memoryOf(needs, "model.near")).toBe(USUAL + 164 * MIB);
  expect(await near("", 200 * MIB)).toBe(USUAL + 264 * MIB);
  expect(await near("memory 100 MiB", 200 * MIB)).toBe(100 * MIB);
  expect(await near("memory 1 GiB", 200 * MIB)).toBe(USUAL + 264 * MIB);
  // If the weights were not read, their size is not counted.
  expect(await near("memory 1 GiB", 0)).toBe(USUAL + 64 * MIB);
});

test("an embedder is a separate process, to which only the store of conversations is connected", async () => {
  const page = { ...LOCAL(""), backends: "backend canned { stub  embedder small }" };
  const embeds = { ...page, sessions: session("operator", "auto canned") };
  const needs = await needsOf(embeds, 100 * MIB);
  expect(rolesOf(needs)).toMatchObject({ "embedder.small": "model-local" });
  compare(needs, { ...BASE_FILES, "embedder.small": 1 }, [...BASE, "conversations>embedder.small"]);
  expect(memoryOf(needs, "embedder.small")).toBe(USUAL + 164 * MIB);
  expect(needs.artefacts).toBe(3 + 1 + 2 * 4);
});

test("a console with logins by passphrase has memory to derive a key", async () => {
  const page = (login: string) => ({
    top: 'principal alice { ssh "keys/alice.pub"  passphrase "pass" }',
    sessions: `${session("operator", "auto canned")}
      session other { kind guest  principals alice  ${login}  models { auto canned }  permit { auto readOnly } }`,
  });
  const plain = memoryOf(await needsOf(page("login key")), "console");
  expect(plain).toBe(ROLES.console.memory.usual);
  expect(memoryOf(await needsOf(page("login passphrase")), "console")).toBe(ROLES.console.memory.usual + 20 * MIB);
});

test("a machine needs the memory of its processes, plus the kernel's part of the memory above 512 MiB", async () => {
  const usual = 512 * MIB;
  const sumOf = ({ processes }: Needs) => processes.reduce((sum, one) => sum + one.memoryBytes, MACHINE_BYTES);
  const small = await needsOf({});
  const roles: readonly Role[] = ["audit", "broker", "files", "model", "conversations", "console", "gate", "loop"];
  expect(sumOf(small) - MACHINE_BYTES).toBe(roles.reduce((sum, role) => sum + ROLES[role].memory.usual, 0));
  expect(small.memoryBytes).toBe(sumOf(small));
  for (const weights of [300 * MIB, 400 * MIB + 1, 5000 * MIB]) {
    const large = await needsOf(LOCAL("memory 8 GiB"), weights);
    const left = (machine: number) => machine - Math.floor(Math.max(0, machine - usual) / 16);
    expect(left(large.memoryBytes)).toBeGreaterThanOrEqual(sumOf(large));
    expect(left(large.memoryBytes - 2)).toBeLessThan(sumOf(large));
  }
});

test("init needs more descriptors for each process and each connection", () => {
  const none = initDescriptors(0, 0);
  expect([initDescriptors(1, 0) - none, initDescriptors(0, 1) - none]).toEqual([3, 3]);
  expect(initDescriptors(7, 11) - none).toBe(3 * 18);
  expect(none).toBe(64);
});

test("Node opens more descriptors than a static program, and a process of an unknown role is counted like a Node process", async () => {
  const [node, plain] = [countOwnDescriptors("gate"), countOwnDescriptors("console")];
  expect(node).toBeGreaterThan(plain);
  expect([countOwnDescriptors("own-native"), countOwnDescriptors("own"), countOwnDescriptors("nobody")]).toEqual([
    plain,
    node,
    node,
  ]);
  const { processes } = await needsOf({});
  expect(processes.map(({ role, own }) => [role, own])).toEqual(
    processes.map(({ role }) => [role, countOwnDescriptors(role)]),
  );
});

test("the default memory of a machine is 512 MiB", () => {
  expect(getMachineMemory({ memory: { bytes: 1024n } })).toBe(1024);
  expect([getMachineMemory({ memory: undefined }), getMachineMemory(undefined)]).toEqual([512 * MIB, 512 * MIB]);
});

test("a size is written in the largest unit that divides it", () => {
  const sizes = [3 * MIB, 3 * MIB + 1024, 1024 * 1024, 1536, 1024, 1023, 1];
  expect(sizes.map(formatSize)).toEqual(["3 MiB", "3073 KiB", "1 MiB", "1536 B", "1 KiB", "1023 B", "1 B"]);
});
