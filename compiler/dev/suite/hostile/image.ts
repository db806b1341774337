// Makes an image with malformed weights that have a valid signature. It also contains valid weights, which two workers
// run. `capc build` cannot make such an image, because it computes with the weights first, and the engine then refuses
// them.

import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assembleRoot } from "../../../../engine/image/rootfs/assemble.ts";
import { makeTinyModel } from "../../../../engine/lib/weights/testing/tiny-model.ts";
import type { Manifest } from "../../../../engine/lib/wire/generated/manifest.ts";
import { createSigningKey } from "../../../../targets/manifest/signing.ts";
import { prepareWeights } from "../../../artefacts/products/weights.ts";
import { CACHE, compileFile, writeImage } from "../images/write.ts";
import { CHECKOUT } from "../stage.ts";

/** Weights by model. The valid weights are large enough to be found in a machine's memory. */
const FILES = {
  honest: makeTinyModel({ layers: 4, width: 192 }),
  /** The engine aborts when it loads these weights. */
  layers: makeTinyModel({ entries: { "llama.block_count": { kind: "u32", value: 2 ** 32 - 1 } } }),
  /** The engine refuses these weights. */
  heads: makeTinyModel({ entries: { "llama.attention.head_count": { kind: "u32", value: 0 } } }),
} as const;

/** Each backend, and the model that it runs. */
const BACKENDS = { one: "honest", two: "honest", layers: "layers", heads: "heads" } as const;

function renderPage(): string {
  const models = Object.keys(FILES).map(
    (name) => `model ${name} { weights "${name}.gguf"  arch llama  context 512 tokens  tools true }`,
  );
  const backends = Object.entries(BACKENDS).map(
    ([name, model]) => `backend ${name} { cpu  model ${model}  threads 1  memory 256 MiB }`,
  );
  return `system hostile version "1.0.0" {
  use std.tools
  service notes : Files { state 1 MiB }
  ${[...models, ...backends].join("\n  ")}
  session operator {
    kind operator
    models { consent two  consent layers  consent heads  auto one }
    permit { auto readOnly  forbidden mutatingLocal  forbidden destructive }
  }
  storage { disk "capos-data" }
  image { target linux  machine vm  memory 576 MiB  boot operator }
}
`;
}

/** Limits the restarts of workers: init restarts a dead worker once, and then gives it up. */
function limitRestarts(manifest: Manifest): Manifest {
  const restart = { most: 1, withinSeconds: 3600, pauseMs: 0 };
  const isWorker = ({ role }: Manifest["processes"][number]): boolean => role === "model-local";
  return { ...manifest, processes: manifest.processes.map((one) => (isWorker(one) ? { ...one, restart } : one)) };
}

/** Builds the image, and returns the bytes of the honest weights. Throws if the image cannot be made. */
export async function buildHostileImage(folder: string, out: string): Promise<Buffer> {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(FILES)) writeFileSync(join(folder, `${name}.gguf`), bytes);
  writeFileSync(join(folder, "system.cap"), renderPage());
  const { policy, origins } = await compileFile(join(folder, "system.cap"));
  const root = await assembleRoot({ checkout: CHECKOUT, cache: CACHE, runsModels: true });
  if (!root.ok) throw new Error(root.reason);
  const key = createSigningKey(generateKeyPairSync("ed25519").privateKey, "development");
  const weights = prepareWeights(policy, CACHE, { key, trusted: [] });
  if (!weights.ok) throw new Error(weights.reason);
  await writeImage({
    policy,
    origins,
    root,
    key,
    weights: weights.value,
    change: limitRestarts,
    networked: false,
    out,
  });
  return FILES.honest;
}
