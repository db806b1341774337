// Plans two processes for each role, which try forbidden actions inside the jail of the role. One is the image's own Node.js
// with the flags of the role, and its program comes as an artefact. The other is a static program that only the root of the test
// machine contains.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProberRoles, type Prober, SEERS, WRITERS } from "../../../engine/image/init/jail-attempts.ts";
import type { Role } from "../../../engine/lib/roles/index.ts";
import type { Process } from "../../../engine/lib/wire/generated/manifest.ts";
import { NODE_FLAGS } from "../../../targets/manifest/roles.ts";

/** Program of the probers that run Node.js. A prober is a process that tries forbidden actions in a jail. */
export const PROBE = readFileSync(new URL("jail-probe.mjs", import.meta.url));

/** Path in the root file system of the prober that is a static program. */
export const NATIVE_PATH = "/capos/probe";

/** Model whose weights are visible to roles that may read them. */
export const MODEL = "smol";

/** Compiles the static prober (jail-probe.c) in `folder`, and returns its bytes. */
export function nativeProbe(folder: string): Uint8Array {
  const out = join(folder, "probe");
  const source = fileURLToPath(new URL("jail-probe.c", import.meta.url));
  const { status, stderr } = spawnSync("gcc", ["-static", "-O1", "-o", out, source], { encoding: "utf8" });
  if (status !== 0) throw new Error(`jail-probe.c does not compile: ${stderr}`);
  return readFileSync(out);
}

interface Probing {
  readonly by: Prober;
  readonly role: Role;
  readonly name: string;
  readonly uid: number;
  /** The prober's own directory on the data disk. */
  readonly directory?: string;
}

/** First user id after those of the example itself. */
const FIRST_UID = 3001;

/** The probers. The gate's prober is last: it has connections to all other probers, and therefore ends after them. */
export const PROBINGS: readonly Probing[] = (["native", "node"] as const)
  .flatMap((by) => findProberRoles(by).map((role) => ({ by, role, name: `${by}.${role}` })))
  .toSorted((a, b) => Number(a.name === "node.gate") - Number(b.name === "node.gate"))
  .map((probing, index) => ({
    ...probing,
    uid: FIRST_UID + index,
    ...(WRITERS.includes(probing.role) ? { directory: probing.name.replace(".", "-") } : {}),
  }));

/** Process that runs in the jail of the model, and allocates more memory than it may use. */
export const EATER = "native.eater";
const EATERS_BYTES = 8n << 20n;

/** Process that runs, but never answers init's pings; init may restart it once. */
export const HANGER = "native.hanger";

/**
 * Returns the argument with which Node.js reads the artefact on descriptor `fd` and runs it. The argument has no
 * spaces, because arguments in a manifest contain none.
 */
const runArtefact = (fd: number): string =>
  `--import=data:text/javascript,const{readFileSync:r}=await(import('node:fs'));await(import('data:text/javascript,'+encodeURIComponent(r(${fd},'utf8'))))`;

const FIRST_GRANT = 5;

/** Maximum bytes of each prober's state on the disk. */
const PROBERS_ROOM = 1n << 20n;

function startOf({ by, role }: Probing, grants: number): Pick<Process, "exec" | "arguments"> {
  if (by === "native") return { exec: NATIVE_PATH, arguments: ["try-in-a-jail"] };
  return { exec: "/usr/bin/node", arguments: [...NODE_FLAGS, runArtefact(FIRST_GRANT + grants), `/capos/${role}.mjs`] };
}

function processOf(probing: Probing): Process {
  const { name, role, uid, directory } = probing;
  const providers = name === "node.gate" ? PROBINGS.filter((other) => other.name !== name) : [];
  return {
    name,
    role,
    uid,
    ...startOf(probing, providers.length),
    grants: providers.map((provider, index) => ({
      name: `p${index}`,
      interfaceId: 1n,
      provider: provider.name,
      badge: BigInt(1000 + index),
      expiresAfterSeconds: 0,
      origin: "",
    })),
    files: [
      { name: "probe", which: "blob", blob: "probe" },
      ...(directory === undefined ? [] : [{ name: "own", which: "directory", directory } as const]),
      ...(SEERS.includes(role) ? [{ name: "weights", which: "weights", weights: `weights.${MODEL}` } as const] : []),
    ],
    memoryMaxBytes: 0n,
    restart: { most: 0, withinSeconds: 0, pauseMs: 0 },
    answerWithinSeconds: 0,
    stateMaxBytes: directory === undefined ? 0n : PROBERS_ROOM,
  };
}

/** Returns the processes of the probers, as the manifest of the test machine lists them. */
export function probers(): readonly Process[] {
  const eater: Probing = { by: "native", role: "model", name: EATER, uid: FIRST_UID + PROBINGS.length };
  const hanger: Probing = { by: "native", role: "model", name: HANGER, uid: FIRST_UID + PROBINGS.length + 1 };
  return [
    { ...processOf(eater), arguments: ["eat"], memoryMaxBytes: EATERS_BYTES },
    {
      ...processOf(hanger),
      arguments: ["hang"],
      restart: { most: 1, withinSeconds: 3600, pauseMs: 0 },
      answerWithinSeconds: 1,
    },
    ...PROBINGS.map(processOf),
  ];
}

/** The directories of all probers that have a directory. */
export const DIRECTORIES: readonly string[] = PROBINGS.flatMap(({ directory }) => directory ?? []);
