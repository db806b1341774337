import { defineLaw } from "../../support/law.ts";
import { passphraseWithoutDisk } from "./codes.ts";

/**
 * Checks that passphrases have a data disk, which stores their verifiers. An image must not contain the verifiers,
 * because anybody may read it.
 */
export const rule = defineLaw({
  reports: [passphraseWithoutDisk],
  check: ({ model }, report) => {
    if (model.damaged || model.storage !== undefined) return;
    for (const { id, login, own } of model.sessions) {
      if (!own || login?.proof !== "passphrase") continue;
      report(passphraseWithoutDisk.at(login.span, { session: id }));
    }
  },
});
