// Finds the program that runs an image on this Linux host without a machine, and builds its arguments.

import { fileURLToPath } from "node:url";

/** Path of the program that runs an image on this host. It is built from `engine/image/init`, like the init of an image. */
export const HOST_PROGRAM = fileURLToPath(new URL("../../engine/prebuilt/init/capos-host", import.meta.url));

/** Properties of a machine, in the order in which the program measures whether this host has them. */
export const HOST_PROPERTIES = [
  "own-kernel",
  "verity",
  "cgroups",
  "oom-order",
  "landlock",
  "low-memory",
  "no-swap",
  "own-users",
  "network",
] as const;

/** Last line that the program prints after an orderly end. */
export const HOST_CLEAN_END = "capos: ended cleanly";

/** Exit status if this host, or its user, cannot run the image; the program has printed the reasons. */
export const UNFIT_HOST = 3;

interface HostRun {
  readonly image: string;
  /** File with the keys that the image's own init trusts. */
  readonly trust: string;
  readonly disk: string | undefined;
  readonly without: readonly string[];
  /**
   * Whether the program itself handles the keys that end the run. This is so if capc passes a person's keys on to the
   * program, because the input of the program is then not a terminal.
   */
  readonly isRelayed: boolean;
}

export function buildHostArguments({ image, trust, disk, without, isRelayed }: HostRun): readonly string[] {
  return [
    "run",
    image,
    trust,
    ...(disk === undefined ? [] : ["--disk", disk]),
    ...without.flatMap((name) => ["--without", name]),
    ...(isRelayed ? ["--keys", "person"] : []),
  ];
}
