// Prepares an example for a run in this process: with its own page and programs, and with empty directories. All people
// have the same constant public key, unless a test gives another one.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadProgram } from "../../../engine/processes/services/own/program.ts";
import type { OwnService } from "../../../engine/processes/services/own/serve.ts";
import type { Origins, Policy, ServicePlan } from "../../../targets/contract/policy.ts";
import { compileExample } from "../golden/golden.ts";
import { deriveRules } from "./example.ts";

/**
 * Returns the tables, services and programs of an example, for `rehearse`, which runs the machine in this process.
 * Below `folder`, the services and the audit get folders. All people have the key `publicKey`. Throws if the example
 * does not compile.
 */
export async function createStage(example: string, folder: string, publicKey?: string) {
  const { policy, origins } = await compileExample(example, publicKey);
  return createStageFor(policy, origins, folder);
}

/** Returns the tables, services and programs of a compiled page, for `rehearse`. */
export async function createStageFor(policy: Policy, origins: Origins, folder: string) {
  const selectServices = (kind: ServicePlan["implementation"]) =>
    policy.services.filter((one) => one.implementation === kind);
  const [logs, services, status] = (["logs", "services", "status"] as const).map(
    (kind) => selectServices(kind)[0]?.name,
  );
  const stub = policy.backends.find((backend) => backend.kind === "stub");
  return {
    ...deriveRules(policy, origins),
    session: policy.image.boot,
    replies: stub?.replies?.bytes ?? Buffer.from("[]"),
    files: Object.fromEntries(
      [...selectServices("files"), ...selectServices("scratch")].map(({ name }) => [name, makeFolder(folder, name)]),
    ),
    own: await loadPrograms(policy, folder),
    held: Object.fromEntries(policy.services.map(({ name, own }) => [name, own?.methods.held ?? []])),
    ...(logs === undefined ? {} : { logs }),
    ...(services === undefined ? {} : { services }),
    ...(status === undefined ? {} : { status }),
    // The kernel of capOS writes a log of its own, but it does not run here. So capc's audit process writes the log.
    disk: policy.storage || policy.image.target === "capos" ? makeFolder(folder, "audit") : undefined,
  };
}

async function loadPrograms({ services }: Policy, folder: string): Promise<Readonly<Record<string, OwnService>>> {
  const programs: Record<string, OwnService> = {};
  for (const { name, implementation, own, stateBytes } of services) {
    // Static programs are left out, because they run only in a machine. MCP servers are left out, because each runs in
    // a thread that no code here would end.
    if (own === undefined || implementation === "own-native" || own.methods.toolList.length > 0) continue;
    const { interfaceId, interfaceName } = own.methods;
    const loaded = await loadProgram(own.bytes, own.methods);
    if (!loaded.ok) throw new Error(`${own.path}: ${loaded.reason}`);
    const directory = stateBytes === 0 ? undefined : makeFolder(folder, name);
    programs[name] = { interfaceId, interfaceName, methods: loaded.value, directory, stateBytes, now: Date.now };
  }
  return programs;
}

function makeFolder(folder: string, name: string): string {
  mkdirSync(join(folder, name), { recursive: true });
  return join(folder, name);
}
