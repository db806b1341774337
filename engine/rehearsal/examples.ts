// Any example as a rehearsal can play it: its own page and programs, directories that begin empty, and a key that nobody has
// the private half of in place of those that each machine makes.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "../../compiler/compile.ts";
import type { Policy, ServicePlan } from "../../compiler/policy/policy.ts";
import { diskHost, type Host } from "../../compiler/source/index.ts";
import { processesOf } from "../../targets/manifest/processes.ts";
import { tablesTarget } from "../../targets/tables/tables.ts";
import { loadProgram } from "../services/own/program.ts";
import type { OwnService } from "../services/own/serve.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));
const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIDY13iwB9txnkG92xdrlUHVkgfeKxuZsRxg03bzr+Vb\n";

export function exampleNames(): readonly string[] {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).sort();
}

/**
 * The example with a folder for each of its services, and one for the audit, below `folder`; `publicKey` is that of all its
 * people. Throws where it does not compile.
 */
export async function stageOf(example: string, folder: string, publicKey = KEY) {
  const { policy, origins, diagnostics } = await compile(
    withKeys(diskHost("2026-01-01"), publicKey),
    `${EXAMPLES}${example}/system.cap`,
  );
  const made = policy && tablesTarget(policy);
  const tables = made?.ok ? made.value[0]?.bytes : undefined;
  if (policy === undefined || origins === undefined || !(tables instanceof Uint8Array)) {
    throw new Error(`${example}: ${diagnostics.map(({ message }) => message).join("; ")}`);
  }
  const held = new Map(processesOf(policy, origins).map(({ name, grants }) => [name, grants.map((one) => one.name)]));
  const named = (kind: ServicePlan["implementation"]) => policy.services.filter((one) => one.implementation === kind);
  const [logs, status] = [named("logs")[0]?.name, named("status")[0]?.name];
  return {
    tables,
    session: policy.image.boot,
    replies: policy.backends[0]?.replies?.bytes ?? Buffer.from("[]"),
    files: Object.fromEntries(named("files").map(({ name }) => [name, madeFolder(folder, name)])),
    own: await programsOf(policy, folder),
    ...(logs === undefined ? {} : { logs }),
    ...(status === undefined ? {} : { status }),
    grants: (process: string): readonly string[] => held.get(process) ?? [],
    disk: policy.storage && madeFolder(folder, "audit"),
  };
}

async function programsOf({ services }: Policy, folder: string): Promise<Readonly<Record<string, OwnService>>> {
  const programs: Record<string, OwnService> = {};
  for (const { name, own, stateBytes } of services) {
    if (own === undefined) continue;
    const { interfaceId, interfaceName } = own.methods;
    const loaded = await loadProgram(own.bytes, own.methods);
    if (!loaded.ok) throw new Error(`${own.path}: ${loaded.reason}`);
    const directory = stateBytes === 0 ? undefined : madeFolder(folder, name);
    programs[name] = { interfaceId, interfaceName, methods: loaded.value, directory, stateBytes };
  }
  return programs;
}

function madeFolder(folder: string, name: string): string {
  mkdirSync(join(folder, name), { recursive: true });
  return join(folder, name);
}

/** The rows of the example's golden table. */
export function goldenDecisions(example: string): readonly string[] {
  const file = new URL(`../../golden/${example}/decisions.tsv`, import.meta.url);
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

function withKeys(host: Host, publicKey: string): Host {
  const isKey = (path: string) => path.startsWith(EXAMPLES) && path.endsWith(".pub");
  return {
    ...host,
    realPath: async (path) => (isKey(path) ? path : host.realPath(path)),
    readFile: async (path, limit) =>
      isKey(path) ? { ok: true, bytes: Buffer.from(publicKey) } : host.readFile(path, limit),
  };
}
