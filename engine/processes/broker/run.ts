import { randomBytes } from "node:crypto";
import { accessSync, constants } from "node:fs";
import type { Capset } from "../../lib/wire/capset.ts";
import { AuditLog } from "../../lib/wire/generated/wire.ts";
import type { Program } from "../../lib/wire/program.ts";
import { openDesks } from "./broker.ts";
import { type Disk, openDirectoryDisk } from "./disk/disk.ts";
import { findDesk, serveGate } from "./serve.ts";
import { makeBufferedRandom, type World } from "./world.ts";

const NANOSECONDS_PER_MS = 1_000_000n;
const NOTHING = new Uint8Array();

export const runBroker: Program = (capset, { bootId, log, giveUp }) => {
  const world: World = {
    // Node's clock is the kernel's CLOCK_MONOTONIC, which all processes of the machine share.
    now: () => Number(process.hrtime.bigint() / NANOSECONDS_PER_MS),
    wall: Date.now,
    random: makeBufferedRandom(randomBytes),
  };
  const desks = openDesks(capset.file("tables"), bootId, world, openDataDisk(capset));
  if (!desks.ok) return giveUp(desks.reason);
  capset.onGrant((grant) => {
    const { holder, stream } = grant;
    /**
     * Closes the connection and reports this to the audit. The broker does not wait for the record, because it also
     * serves without an audit.
     */
    const cutOff = (detail: string): void => {
      stream.destroy();
      log(`${holder} was cut off: ${detail}`);
      if (!capset.held.has("audit")) return;
      const entry = { which: "session" as const, session: { name: holder, event: "cut off", detail, digest: NOTHING } };
      void capset.connection("audit").call(AuditLog.methods.append, { entry });
    };
    const desk = findDesk(desks.value, grant);
    if (desk === undefined) cutOff("it is no gate of a session of these tables");
    else void serveGate(stream, desk).closed.then((end) => (end.fault ? cutOff(end.reason) : undefined));
  });
  capset.ready();
};

/** Returns the data disk, or `undefined` if the machine has none: init then binds an empty read-only directory. */
function openDataDisk(capset: Capset): Disk | undefined {
  const directory = capset.directory("data");
  try {
    accessSync(directory, constants.W_OK);
    return openDirectoryDisk(directory);
  } catch {
    return undefined;
  }
}
