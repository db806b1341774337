// Boots the machine of examples/log-triage with probers beside its processes. Probers are programs that try forbidden
// actions in jails. One boot tests that the jails prevent all of them. It also tests that the machine meets all claims
// of the example's script while probers die.

import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assembleRoot } from "../../../engine/image/rootfs/assemble.ts";
import type { Manifest } from "../../../engine/lib/wire/generated/manifest.ts";
import { createBlob } from "../../../targets/manifest/blob.ts";
import { listWeightsBlobs, listWeightsFiles } from "../../../targets/manifest/model.ts";
import { createSigningKey, type SigningKey } from "../../../targets/manifest/signing.ts";
import { prepareWeights, type WeightsInImage } from "../../artefacts/products/weights.ts";
import { CACHE, compileFile, writeImage } from "../suite/images/write.ts";
import { DIRECTORIES, MODEL, NATIVE_PATH, nativeProbe, PROBE, probers } from "./jail-probers.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const EXAMPLE = join(CHECKOUT, "examples/log-triage");
const SCRIPT = join(EXAMPLE, "triage.chat");
const KEYS = join(EXAMPLE, "keys");

/** Lines of the console, and for each claim of the script whether it holds. */
export interface Played {
  readonly lines: readonly string[];
  readonly verdicts: readonly { readonly line: number; readonly passed: boolean; readonly words: string }[];
}

/** Maximum number of characters of an error to show. */
const MOST_SAID = 2000;

/**
 * Makes the image with the probers in `folder`. Returns the arguments with which `capc run` plays the example's script
 * on this image.
 */
export async function prepareRun(folder: string): Promise<readonly string[]> {
  const image = join(folder, "system.iso");
  await makeImage(image, nativeProbe(folder));
  return ["run", image, "--script", SCRIPT, "--files", filesIn(folder), "--keys", KEYS, "--json"];
}

/** Makes the machine in `folder`, and plays the example's script on it. */
export async function playMachine(folder: string): Promise<Played> {
  // The 512 MiB of the example do not suffice for thirty processes at once.
  const words = [join(CHECKOUT, "compiler/cli/main.ts"), ...(await prepareRun(folder)), "--memory", "1024"];
  const { output, shown } = await ended(words);
  // The script did not run; the last output states the reason.
  if (output === "") throw new Error(shown.slice(-MOST_SAID));
  const report: { readonly verdicts: Played["verdicts"] } = JSON.parse(output);
  return { lines: shown.split("\n"), verdicts: report.verdicts };
}

/**
 * Returns a folder with the example's own files and the directories of the probers. Each directory of a prober has one
 * file whose name contains the directory's name, so a test can check that the prober sees only its own directory.
 */
function filesIn(folder: string): string {
  const files = join(folder, "files");
  cpSync(join(EXAMPLE, "disk"), files, { recursive: true });
  for (const directory of DIRECTORIES) {
    mkdirSync(join(files, directory), { recursive: true });
    writeFileSync(join(files, directory, `of-${directory}`), "");
  }
  return files;
}

async function makeImage(out: string, native: Uint8Array): Promise<void> {
  const { policy, origins } = await compileFile(join(EXAMPLE, "system.cap"));
  const more = [{ path: NATIVE_PATH, bytes: native }];
  const root = await assembleRoot({ checkout: CHECKOUT, cache: CACHE, more });
  if (!root.ok) throw new Error(root.reason);
  const { privateKey } = generateKeyPairSync("ed25519");
  const key = createSigningKey(privateKey, "development");
  const weights = await weightsSignedBy(key);
  await writeImage({
    policy,
    origins,
    root,
    key,
    change: (manifest) => withProbers(manifest, weights),
    more: [...listWeightsFiles(weights), { path: "probe.mjs", bytes: PROBE }],
    moreWeights: weights,
    networked: true,
    out,
  });
}

/** Returns the weights of `examples/offline-agent`, with a model card that `key` signed. */
async function weightsSignedBy(key: SigningKey): Promise<ReadonlyMap<string, WeightsInImage>> {
  const { policy } = await compileFile(join(CHECKOUT, "examples/offline-agent/system.cap"));
  const weights = prepareWeights(policy, CACHE, { key, trusted: [] });
  if (!weights.ok || !weights.value.has(MODEL))
    throw new Error(`there are no weights: ${weights.ok ? MODEL : weights.reason}`);
  return weights.value;
}

function withProbers(manifest: Manifest, weights: ReadonlyMap<string, WeightsInImage>): Manifest {
  const probe = createBlob("probe", "/capos/probe.mjs", PROBE);
  return {
    ...manifest,
    artefacts: [...manifest.artefacts, probe, ...listWeightsBlobs(weights)],
    processes: [...probers(), ...manifest.processes],
    // Only one prober may use the network card, so only the first prober gets it.
    network: { which: "dhcp" },
  };
}

/**
 * Runs `capc`, and returns its standard output and its standard error. With --json, standard error shows what the
 * machine's console draws.
 */
function ended(words: readonly string[]): Promise<{ readonly output: string; readonly shown: string }> {
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    output += piece;
  });
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    shown += piece;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve({ output, shown }));
  });
}
