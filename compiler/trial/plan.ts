// Plans the processes of a page that run inside this program. They receive the bytes of their artefacts, folders below
// the folder `disk`, and a file in place of the audit partition.

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRole, programPath, type Role } from "../../engine/lib/roles/index.ts";
import type { FileGrant, Process } from "../../engine/lib/wire/generated/manifest.ts";
import type { Program } from "../../engine/lib/wire/program.ts";
import { openPartition } from "../../engine/processes/audit/partition-file.ts";
import type { StandIn } from "../../engine/processes/egress/connection.ts";
import { bug } from "../../lang/diagnostics/index.ts";
import type { ModelPlan, Origins, Policy } from "../../targets/contract/policy.ts";
import { encodeEgress } from "../../targets/manifest/egress.ts";
import { getReplies, isStub, type ModelIdentities } from "../../targets/manifest/model.ts";
import { encodeMethods, listOwnServices } from "../../targets/manifest/own.ts";
import { planProcesses } from "../../targets/manifest/processes.ts";
import type { Handed } from "./capset.ts";
import { AUDIT_FILE } from "./disk-folder.ts";
import type { Planned } from "./init.ts";
import { loadPrograms } from "./programs.ts";
import type { LocalWeights } from "./weights.ts";

/** Size in bytes of the file that replaces the audit partition; it has space for about ten thousand records. */
const LOG_BYTES = 16 * 1024 * 1024;
/** Folder of the machine's own keys on a data disk. */
const KEYS = ".keys";

/** A page to run, with its compiled policy, weights and engine. */
export interface TrialPage {
  readonly policy: Policy;
  readonly origins: Origins;
  /** Content of tables.bin. */
  readonly tables: Uint8Array;
  /** Weights of the page's local models, by the name of the model. */
  readonly weights: ReadonlyMap<string, LocalWeights>;
  /** Folder that contains the engine of local models as in an image; empty if the page needs no engine. */
  readonly engine: string;
}

/**
 * Returns the processes of the page, each with the files that it receives. `disk` is the path of a folder that replaces
 * the data disk; `standIn` replaces the network.
 */
export async function planTrial(page: TrialPage, disk: string, standIn?: StandIn): Promise<readonly Planned[]> {
  const { policy, origins, weights } = page;
  const identities: ModelIdentities = new Map([...weights].map(([name, { id }]) => [name, { id }]));
  const processes = planProcesses(policy, origins, identities);
  const blobs = collectBlobs(page, processes);
  const programs = await loadPrograms(
    processes.map(({ role }) => getRole(role)),
    standIn,
  );
  return processes
    .filter(({ role }) => role !== "console")
    .map((process) => planProcess(process, { page, blobs, disk, programs }));
}

function getRole(name: string): Role {
  return isRole(name) ? name : bug(`a planned process has the unknown role ${name}`);
}

interface Parts {
  readonly page: TrialPage;
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  readonly disk: string;
  readonly programs: ReadonlyMap<Role, Program>;
}

function planProcess(process: Process, { page, blobs, disk, programs }: Parts): Planned {
  const role = getRole(process.role);
  const own = process.arguments.slice(process.arguments.indexOf(programPath(role)) + 1);
  const handed = collectHanded(process.files, blobs, disk);
  const words = [...own, ...renderWeightsArguments(process.files, page)];
  return { process, role, words, handed, program: programs.get(role) };
}

/** Returns the arguments for the paths of a local model's weights and engine. In an image, both paths are fixed. */
function renderWeightsArguments(files: readonly FileGrant[], { weights, engine }: TrialPage): readonly string[] {
  const granted = files.find((file) => file.which === "weights");
  if (granted === undefined) return [];
  const found = weights.get(granted.weights.replace(/^weights\./, ""));
  return found === undefined ? [] : ["--weights", found.file, "--engine", engine];
}

function collectHanded(granted: readonly FileGrant[], blobs: ReadonlyMap<string, Uint8Array>, disk: string): Handed {
  const files = new Map<string, Uint8Array>();
  const partitions = new Map<string, number>();
  let directory: string | undefined;
  for (const file of granted) {
    switch (file.which) {
      case "blob": {
        const bytes = blobs.get(file.blob);
        if (bytes !== undefined) files.set(file.name, bytes);
        break;
      }
      case "directory":
        directory = join(disk, file.directory);
        mkdirSync(directory, { recursive: true });
        break;
      case "partition":
        partitions.set(file.name, openPartition(join(disk, AUDIT_FILE), LOG_BYTES));
        break;
      case "key":
        files.set(file.name, readKey(join(disk, KEYS, file.key)));
        break;
      case "weights":
      case "states":
      case "terminal":
        break;
    }
  }
  return { files, partitions, directory };
}

/** Returns the private key in the file. If there is none, returns 32 zero bytes, which decrypt no credential. */
function readKey(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array(32);
  }
}

function collectBlobs(
  { policy, tables, weights }: TrialPage,
  processes: readonly Process[],
): ReadonlyMap<string, Uint8Array> {
  const egress = encodeEgress(policy, processes);
  return new Map<string, Uint8Array>([
    ["tables", tables],
    ...(egress === undefined ? [] : [["egress", egress] as const]),
    ...policy.backends.filter(isStub).map((backend) => [`replies.${backend.name}`, getReplies(backend)] as const),
    ...listOwnServices(policy).flatMap(
      ({ name, own }) =>
        [
          [`program.${name}`, own.bytes],
          [`methods.${name}`, encodeMethods(own)],
        ] as const,
    ),
    ...[...weights].map(([name, { card }]) => [`card.${name}`, card] as const),
  ]);
}

/** Returns the local models of a page without duplicates. */
export function listLocalModels({ backends, embedders }: Policy): readonly ModelPlan[] {
  const answering = backends.flatMap((one) => (one.kind === "cpu" ? [one.model] : []));
  const all = [...answering, ...embedders.map(({ model }) => model)];
  return [...new Map(all.map((model) => [model.name, model])).values()];
}
