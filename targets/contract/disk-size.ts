import { IMPLEMENTATIONS } from "../../engine/lib/roles/index.ts";
import type { ServicePlan } from "./policy.ts";

/** Bytes of a block of the data disk's file system: a file takes whole ones. */
const BLOCK = 4096;
/** Bytes that directories take beside what lies in them. */
const FOR_DIRECTORIES = 64 * 1024;
/** Bytes that a program of the runtime needs beside: it replaces a file by writing the new one next to it, and keeps a journal. */
const FOR_JOURNALS = 1024 * 1024;
/**
 * Returns the bytes that the kernel lets a service's directory take on the data disk; 0 for a service that keeps nothing. A program
 * of the package gets what its `state` says. Programs of the image count what they keep by themselves, and more exactly: for
 * them this is the bound behind that one. `holders`: number of holders of scratch, each of which may keep as much.
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
