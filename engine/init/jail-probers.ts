// One process for each role that runs Node, which tries from inside its jail what the role must not be able to do. It is
// started from the image's own Node, and what it does comes as an artefact: the root is the one that is shipped.

import { readFileSync } from "node:fs";
import type { Process } from "../wire/generated/manifest.ts";

/** What each of them runs. */
export const PROBE = readFileSync(new URL("jail-probe.mjs", import.meta.url));
/** Reads the artefact on descriptor `fd` and runs it: manifest arguments are words without spaces. */
const runArtefact = (fd: number): string =>
  `--import=data:text/javascript,const{readFileSync:r}=await(import('node:fs'));await(import('data:text/javascript,'+encodeURIComponent(r(${fd},'utf8'))))`;

interface Prober {
  readonly role: string;
  readonly providers?: readonly string[];
  /** The directory of the data disk that is its own. */
  readonly directory?: string;
}

function prober(name: string, uid: number, { role, providers = [], directory }: Prober): Process {
  return {
    name,
    role,
    uid,
    exec: "/usr/bin/node",
    arguments: [runArtefact(5 + providers.length), "/capos/loop.mjs"],
    grants: providers.map((provider, index) => ({
      name: `p${index}`,
      interfaceId: 1n,
      provider,
      badge: BigInt(1000 + index),
      expiresAfterSeconds: 0,
      origin: "",
    })),
    files: [
      { name: "probe", which: "blob", blob: "probe" },
      ...(directory === undefined ? [] : [{ name: "own", which: "directory", directory } as const]),
    ],
    memoryMaxBytes: 0n,
    restart: { most: 0, withinSeconds: 0, pauseMs: 0 },
    answerWithinSeconds: 0,
  };
}

/** Every role that runs Node; the console's jail has room for one thread, which Node cannot do with. */
const ROLES: Readonly<Record<string, Prober>> = {
  talker: { role: "loop" },
  speaker: { role: "model" },
  lonely: { role: "files" },
  ledger: { role: "broker" },
  reader: { role: "logs" },
  facts: { role: "status" },
  recorder: { role: "audit", directory: "records" },
  notes: { role: "files", directory: "notes" },
  program: { role: "own", directory: "state" },
};
/** Above the uids of the example's own. */
const FIRST_UID = 3001;

/** In the order of their start; the last holds all others. */
export const PROBERS: readonly Process[] = [
  ...Object.entries(ROLES).map(([name, how], index) => prober(name, FIRST_UID + index, how)),
  prober("gate.trial", 3100, { role: "gate", providers: Object.keys(ROLES) }),
];

/** The directory that a prober has to itself. */
export function directoryOf(name: string): string | undefined {
  return ROLES[name]?.directory;
}

/** Of all that have one. */
export const DIRECTORIES: readonly string[] = Object.values(ROLES).flatMap(({ directory }) => directory ?? []);
