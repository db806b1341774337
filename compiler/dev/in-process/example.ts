// Compiles examples/first-agent for a run in this process: with its original page and replies, but with a key of the
// test for its principal alice.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Origins, Policy } from "../../../targets/contract/policy.ts";
import { planProcesses } from "../../../targets/manifest/processes.ts";
import { compile } from "../../compile.ts";
import { createMemoryHost } from "../../phases/source/index.ts";
import { encodeTables } from "../golden/golden.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/first-agent/", import.meta.url));

interface Rules {
  /** Content of tables.bin. */
  readonly tables: Uint8Array;
  /** Returns the names of the grants that the manifest gives a process. */
  readonly grants: (process: string) => readonly string[];
}

export interface Example extends Rules {
  readonly replies: Uint8Array;
}

/**
 * Compiles the first example. `key` is the public key of alice, "ssh-ed25519 AAAA…". `more` contains declarations to
 * add to the page. Throws if the page does not compile.
 */
export async function compileExample(key: string, more = ""): Promise<Example> {
  const replies = readFileSync(`${EXAMPLE}/replies.json`);
  const page = readFileSync(`${EXAMPLE}/system.cap`, "utf8").replace(/\}\s*$/, `${more}}\n`);
  const files = { "/system.cap": page, "/replies.json": replies, "/keys/alice.pub": `${key} alice\n` };
  const { policy, origins, diagnostics } = await compile(createMemoryHost(files), "/system.cap");
  if (policy === undefined || origins === undefined)
    throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return { replies, ...deriveRules(policy, origins) };
}

/** Returns the tables and grants of a policy. */
export function deriveRules(policy: Policy, origins: Origins): Rules {
  const held = new Map(planProcesses(policy, origins).map(({ name, grants }) => [name, grants.map((one) => one.name)]));
  return { tables: encodeTables(policy), grants: (process) => held.get(process) ?? [] };
}
