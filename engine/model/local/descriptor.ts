import { closeSync, openSync } from "node:fs";

/** The one number from which the jail of this role lets code be mapped once Node runs: `engine/jails/model-local.json`. */
export const ADDONS_DESCRIPTOR = 60;

/**
 * While `load` runs, every number below the addons' own is taken: whatever the loader of libraries opens, one after the
 * other, gets that one.
 */
export function atAddonsDescriptor<T>(load: () => T): T {
  const taken: number[] = [];
  try {
    for (;;) {
      const descriptor = openSync("/dev/null", "r");
      if (descriptor >= ADDONS_DESCRIPTOR) {
        closeSync(descriptor);
        break;
      }
      taken.push(descriptor);
    }
    return load();
  } finally {
    for (const descriptor of taken) closeSync(descriptor);
  }
}
