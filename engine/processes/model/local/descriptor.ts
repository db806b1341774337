import { closeSync, openSync } from "node:fs";

/**
 * The two descriptor numbers from which this role's jail permits mapping code once Node runs: `engine/image/jails/model-local.json`.
 */
export const ADDONS_DESCRIPTOR = 60;
/**
 * Descriptor for the files that the addon loads itself. The addon opens `/dev/null` while it loads; that file gets the addons' number and
 * keeps it.
 */
export const FORMS_DESCRIPTOR = 61;

/**
 * Runs `load` while every number below `first` is in use, so that each file that the library loader opens gets exactly the number `first`.
 */
export function loadAtDescriptor<T>(first: number, load: () => T): T {
  const taken: number[] = [];
  try {
    for (;;) {
      const descriptor = openSync("/dev/null", "r");
      if (descriptor >= first) {
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
