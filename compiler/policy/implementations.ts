import type { Implementation } from "./policy.ts";

/** Interfaces that something in the image answers for, and by which provider. */
export type Providers = ReadonlyMap<string, Implementation | "own">;

/** What the runtime image brings along. */
export const IMAGE_PROVIDERS: Providers = new Map([
  ["Files", "files"],
  ["Logs", "logs"],
  ["Scratch", "scratch"],
  ["Status", "status"],
  // Programs of the standard library, run as an operator's own are.
  ["Calculator", "own"],
  ["Clock", "own"],
  ["Echo", "own"],
  ["Memory", "own"],
]);
