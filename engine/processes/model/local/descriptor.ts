import { closeSync, openSync } from "node:fs";

/**
 * Descriptor for the addon and its libraries. After Node has started, the jail of this role allows code to be mapped
 * only from this descriptor and the next one (`engine/image/jails/model-local.json`).
 */
export const ADDONS_DESCRIPTOR = 60;
/**
 * Descriptor for the files that the addon loads itself. These files cannot use the addon's own number: while the addon
 * is loaded, `/dev/null` is opened, gets that number, and stays open.
 */
export const FORMS_DESCRIPTOR = 61;

/**
 * Runs `load` while every number below `first` is in use, so that each file that the library loader opens, one after
 * the other, gets exactly the number `first`.
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
