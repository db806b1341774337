// Stages of `make test-images`: a machine starts from an image with a changed bit, and reports the fault. They test
// only a few structures on a machine. For all structures, spoiled.ts tests init's verification without a machine.

import { closeSync, copyFileSync, fstatSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { IMAGE_PATHS } from "../../../../targets/contract/artifact.ts";
import { listIso } from "../../../artefacts/inspect/iso-reader.ts";
import { createReader } from "../../../host/files.ts";
import { boot } from "../boot.ts";
import { CHECKOUT, type Stage } from "../stage.ts";

interface Spoiled {
  readonly name: string;
  readonly path: string;
  /** Distance in bytes between two changed bytes. */
  readonly every: number;
  /** Offset of the first changed byte in the file. */
  readonly from: number;
}

const BLOCK = 4096;
const MODEL = "smol";

const CASES: readonly Spoiled[] = [
  { name: "manifest", path: IMAGE_PATHS.manifest, from: 100, every: Number.POSITIVE_INFINITY },
  { name: "tables", path: IMAGE_PATHS.tables, from: 100, every: Number.POSITIVE_INFINITY },
  // Changes the superblock of the root file system, which the machine reads before any process starts.
  { name: "root", path: IMAGE_PATHS.root, from: 1024, every: Number.POSITIVE_INFINITY },
  // Changes blocks of programs, which the machine reads only after the mount.
  { name: "programs", path: IMAGE_PATHS.root, from: 1024 * BLOCK, every: 64 * BLOCK },
];

const CARD: Spoiled = {
  name: "card",
  path: IMAGE_PATHS.card(MODEL),
  from: 100,
  every: Number.POSITIVE_INFINITY,
};
/**
 * Changes one byte in each block of the weights and of their hash tree. The machine reads the weights at the first
 * question.
 */
const WEIGHTS: Spoiled = { name: "weights", path: IMAGE_PATHS.weights(MODEL), from: 1024, every: BLOCK };

const renderRefusedScript = ({ path }: Spoiled): string =>
  `@ nodisk\n@ stopped\n< capos: refused: ${path} — \n! you>\n`;
/**
 * Renders a script for a machine that continues without its model. The machine must tell its user why the model does
 * not respond.
 */
const renderContinuingScript = ({ path }: Spoiled): string => `@ nodisk
> Which notes are there?
< capos: ${path} is spoiled: 
< capos: model.local stopped (signal 9)
< loop> the gate offers nothing: the model of local does not answer
! agent>
`;

/**
 * Returns the stages that boot spoiled images, one machine for each image. Most machines end soon, because they never
 * reach their prompt.
 */
export function createSpoiledBoots(image: string, withWeights: string): readonly Stage[] {
  return [
    ...CASES.map((spoiled) => start(spoiled, image, renderRefusedScript(spoiled))),
    start(CARD, withWeights, renderRefusedScript(CARD)),
    start(WEIGHTS, withWeights, renderContinuingScript(WEIGHTS)),
  ];
}

function start(spoiled: Spoiled, image: string, conversation: string): Stage {
  const folder = `build/test/spoiled/${spoiled.name}`;
  const [copy, script] = [`${folder}/system.iso`, `${folder}/spoiled.chat`];
  const played = boot(script, copy);
  return {
    name: `spoiled ${spoiled.name}`,
    run: () => {
      mkdirSync(join(CHECKOUT, folder), { recursive: true });
      copyFileSync(join(CHECKOUT, image), join(CHECKOUT, copy));
      spoil(join(CHECKOUT, copy), spoiled);
      writeFileSync(join(CHECKOUT, script), conversation);
      return played.run();
    },
  };
}

function spoil(image: string, { path, from, every }: Spoiled): void {
  const descriptor = openSync(image, "r+");
  try {
    const readAt = createReader(descriptor);
    const listing = listIso(readAt, fstatSync(descriptor).size);
    const file = listing.ok ? listing.files.find((each) => each.path === path) : undefined;
    if (file === undefined) throw new Error(`${dirname(image)} has no ${path}`);
    for (let at = from; at < file.size; at += every) {
      const [byte = 0] = readAt(file.offset + at, 1);
      writeSync(descriptor, Uint8Array.of(byte ^ 1), 0, 1, file.offset + at);
    }
  } finally {
    closeSync(descriptor);
  }
}
