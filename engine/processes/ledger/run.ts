import { randomBytes } from "node:crypto";
import type { Program } from "../../lib/wire/program.ts";
import { Assignments } from "./assignments.ts";
import { openLedger } from "./opening.ts";
import { serveLedger } from "./serve.ts";

/** People at the console of a session see all text of this session, so its gate reads events of every label. */
const mayRead = () => true;

/** A ledger whose file cannot be used gives up, because tasks must not be lost silently. */
export const runLedger: Program = (capset, { log, giveUp }) => {
  const opened = openLedger(capset.directory("data"), { now: Date.now, random: randomBytes, later: setImmediate });
  if (!opened.ok) return giveUp(opened.reason);
  const ledger = opened.value;
  const assignments = new Assignments();
  capset.onGrant((grant) => {
    if (serveLedger({ ...grant, mayRead }, ledger, assignments) !== undefined) return;
    grant.stream.destroy();
    log(`${grant.holder} was cut off: it is no host, no worker and no gate of a session`);
  });
  capset.onStop(async () => ledger.close());
  capset.ready();
};
