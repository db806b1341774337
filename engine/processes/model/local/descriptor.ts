import { closeSync, openSync } from "node:fs";

/**
 * Number of the file descriptor with which the files of the addon and its libraries are opened. After Node has started,
 * the jail of this role allows code to be mapped only from this descriptor and the next one
 * (`engine/image/jails/model-local.json`).
 */
export const ADDONS_DESCRIPTOR = 60;
/**
 * Number of the file descriptor with which the addon opens files that it loads itself. It cannot be 60: while the addon
 * is loaded, `/dev/null` is opened, gets this number, and stays open.
 */
export const FORMS_DESCRIPTOR = 61;

/**
 * Opens files until every descriptor number below `first` is in use, and then runs `load`. So each file that the
 * library loader opens, one after the other, gets the number `first`.
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
