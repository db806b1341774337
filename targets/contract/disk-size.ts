import { IMPLEMENTATIONS } from "../../engine/lib/roles/index.ts";
import type { ServicePlan } from "./policy.ts";

/** Bytes of a block of the data disk's file system; a file occupies whole blocks. */
const BLOCK = 4096;
/** Bytes that directories take besides their content. */
const FOR_DIRECTORIES = 64 * 1024;
/** Bytes that a program of the runtime needs in addition: it replaces a file by writing the new one beside it, and keeps a journal. */
const FOR_JOURNALS = 1024 * 1024;
/**
 * Returns the most bytes that the kernel lets a service's directory take on the data disk; 0 for a service without data. A program
 * of the package gets the size that its `state` states. Programs of the image count their data themselves and more exactly; for
 * them this is only an upper bound. `holders`: number of holders of scratch, each of which may keep as much.
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
