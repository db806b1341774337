// The first example, compiled for a rehearsal: its page and its replies as they are, with a key that was made for the test.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "../../compiler/compile.ts";
import { memoryHost } from "../../compiler/source/index.ts";
import { processesOf } from "../../targets/manifest/processes.ts";
import { tablesTarget } from "../../targets/tables/tables.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/first-agent/", import.meta.url));

export interface Example {
  /** tables.bin */
  readonly tables: Uint8Array;
  readonly replies: Uint8Array;
  /** What the manifest grants a process, by name. */
  readonly grants: (process: string) => readonly string[];
}

/** `key`: alice's, "ssh-ed25519 AAAA…". `more`: declarations beside those of the page. Throws where it does not compile. */
export async function compiledExample(key: string, more = ""): Promise<Example> {
  const replies = readFileSync(`${EXAMPLE}/replies.json`);
  const page = readFileSync(`${EXAMPLE}/system.cap`, "utf8").replace(/\}\s*$/, `${more}}\n`);
  const files = { "/system.cap": page, "/replies.json": replies, "/keys/alice.pub": `${key} alice\n` };
  const { policy, origins, diagnostics } = await compile(memoryHost(files), "/system.cap");
  const made = policy && tablesTarget(policy);
  const tables = made?.ok ? made.value[0]?.bytes : undefined;
  if (policy === undefined || origins === undefined || !(tables instanceof Uint8Array)) {
    throw new Error(diagnostics.map(({ message }) => message).join("; "));
  }
  const held = new Map(processesOf(policy, origins).map(({ name, grants }) => [name, grants.map((one) => one.name)]));
  return { tables, replies, grants: (process) => held.get(process) ?? [] };
}
