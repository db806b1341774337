import { IMPLEMENTATIONS } from "../../engine/lib/roles/index.ts";
import type { ServicePlan } from "./policy.ts";

/** Bytes of a block of the data disk's file system; a file occupies whole blocks. */
const BLOCK = 4096;
/** Bytes for the directories themselves. */
const FOR_DIRECTORIES = 64 * 1024;
/** Additional bytes for the journal of a program of the runtime. */
const FOR_JOURNALS = 1024 * 1024;
/**
 * Returns the kernel's limit in bytes for a service's directory on the data disk; 0 for a service without data. A
 * program of the package gets the size that `state` on the page gives. Programs of the image enforce their own exact
 * limit, so this is only an outer bound. They get twice the size, because a file is replaced by a new one beside it.
 * `holders` is the number of holders of scratch, each of which has the same limit.
 */
export function computeDiskBound(
  { stateBytes, implementation, standard }: Pick<ServicePlan, "stateBytes" | "implementation" | "standard">,
  holders: number,
): number {
  if (stateBytes === 0) return 0;
  const blocks = Math.ceil(stateBytes / BLOCK) * BLOCK;
  const { program, keepsForEach } = IMPLEMENTATIONS[implementation];
  const ofPackage = program !== "image" && standard !== true;
  if (ofPackage) return blocks + FOR_DIRECTORIES;
  return (2 * blocks + FOR_JOURNALS) * Math.max(1, keepsForEach === "holder" ? holders : 1);
}
