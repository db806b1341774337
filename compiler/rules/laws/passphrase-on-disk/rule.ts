import { defineLaw } from "../../support/law.ts";
import { passphraseWithoutDisk } from "./codes.ts";

/** What a passphrase is compared with is kept on the data disk: nothing of it may be in an image, which anybody may read. */
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
