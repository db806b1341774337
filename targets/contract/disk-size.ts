import { IMPLEMENTATIONS } from "../../engine/lib/roles/index.ts";
import type { ServicePlan } from "./policy.ts";

/** Bytes of a block of the data disk's file system; a file occupies whole blocks. */
const BLOCK = 4096;
/** Bytes for the directories themselves, besides the files in them. */
const FOR_DIRECTORIES = 64 * 1024;
/** Bytes that a program of the image needs for its journal, in addition to its files. */
const FOR_JOURNALS = 1024 * 1024;
/**
 * Returns how many bytes the directory of a service may occupy on the data disk; 0 for a service without data. The
 * kernel enforces this maximum. A program of the package gets the size that `state` on the page states, and some space
 * for directories. A program of the image limits its data itself to the size on the page. Its directory may be more
 * than twice as large as this size, because a new version of a file is stored beside the old version. `holders` is the
 * number of holders of a scratch service; each holder may store `state` bytes.
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
