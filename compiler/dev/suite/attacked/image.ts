// Builds the image of the page in `page/`. An attacker controls the agent: `loop.ts` replaces the loop, in the loop's
// jail. `capc build` cannot replace the loop.

import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assembleRoot } from "../../../../engine/image/rootfs/assemble.ts";
import { bundle } from "../../../../engine/image/rootfs/bundle.ts";
import type { Manifest, Process } from "../../../../engine/lib/wire/generated/manifest.ts";
import { createBlob } from "../../../../targets/manifest/blob.ts";
import { listNativePrograms } from "../../../../targets/manifest/own.ts";
import { createSigningKey } from "../../../../targets/manifest/signing.ts";
import { CACHE, compileFile, writeImage } from "../images/write.ts";
import { CHECKOUT } from "../stage.ts";

const HERE = "compiler/dev/suite/attacked";
/** Static programs of the page, compiled from C. */
const NATIVE = ["hoard", "moody", "glutton"];
/** Compiler flags that examples/own-tool documents for a static program. */
const FLAGS =
  "-static -nostdlib -ffreestanding -fno-stack-protector -fno-tree-loop-distribute-patterns -Os -s -w".split(" ");

const TAKEN_OVER = "loop.operator";
/**
 * Number of a process's descriptors before its connections: three streams, the descriptor that the loader opens, and
 * the channel to init.
 */
const FIRST_GRANT = 5;

/** Writes the image to `out`, with temporary files in `folder`. Throws if the image cannot be made. */
export async function buildAttackedImage(folder: string, out: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(CHECKOUT, HERE, "page"), folder, { recursive: true });
  for (const name of NATIVE) compileProgram(join(folder, "services", name));
  const { policy, origins } = await compileFile(join(folder, "system.cap"));
  const root = await assembleRoot({ checkout: CHECKOUT, cache: CACHE, more: listNativePrograms(policy) });
  if (!root.ok) throw new Error(root.reason);
  const programs = await bundle(CHECKOUT, [{ name: "loop", entry: `${HERE}/loop.ts` }]);
  const program = programs.get("loop");
  if (program === undefined) throw new Error("the agent that was taken over is not bundled");
  const key = createSigningKey(generateKeyPairSync("ed25519").privateKey, "development");
  const more = [{ path: "taken-over.mjs", bytes: program }];
  const change = (manifest: Manifest) => takeOver(manifest, program);
  await writeImage({ policy, origins, root, key, change, more, networked: true, out });
}

function compileProgram(program: string): void {
  const words = [...FLAGS, "-Wl,--build-id=none", `-I${join(CHECKOUT, "examples/own-tool/services")}`];
  const { status, stderr } = spawnSync("gcc", [...words, "-o", program, `${program}.c`], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program}.c does not compile: ${stderr}`);
}

function takeOver(manifest: Manifest, program: Uint8Array): Manifest {
  const replaceProgram = (process: Process): Process => {
    if (process.name !== TAKEN_OVER) return process;
    const descriptor = FIRST_GRANT + process.grants.length + process.files.length;
    return {
      ...process,
      files: [...process.files, { name: "taken-over", which: "blob", blob: "taken-over" }],
      arguments: [runArtefact(descriptor), ...process.arguments],
    };
  };
  return {
    ...manifest,
    artefacts: [...manifest.artefacts, createBlob("taken-over", "/capos/taken-over.mjs", program)],
    processes: manifest.processes.map(replaceProgram),
  };
}

/**
 * Returns the argument with which Node.js runs the artefact on a descriptor. The next argument is the original program,
 * which Node.js never starts: it waits for a race of no promises, which never ends, and the artefact ends the process.
 */
const runArtefact = (descriptor: number): string =>
  `--import=data:text/javascript,const{readFileSync:r}=await(import('node:fs'));await(import('data:text/javascript,'+encodeURIComponent(r(${descriptor},'utf8'))));await(Promise.race([]))`;
