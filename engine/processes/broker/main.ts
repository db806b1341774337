import { randomBytes } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { type IncomingGrant, openCapset } from "../../lib/wire/capset.ts";
import { giveUp } from "../../lib/wire/exit-failed.ts";
import { AuditLog } from "../../lib/wire/generated/wire.ts";
import { openDesks } from "./broker.ts";
import { type Disk, openDirectoryDisk } from "./disk/disk.ts";
import { findDesk, serveGate } from "./serve.ts";
import { makeBufferedRandom, type World } from "./world.ts";

const NANOSECONDS_PER_MS = 1_000_000n;
const world: World = {
  // Node's clock is the kernel's CLOCK_MONOTONIC, which all processes of the machine share.
  now: () => Number(process.hrtime.bigint() / NANOSECONDS_PER_MS),
  wall: Date.now,
  random: makeBufferedRandom(randomBytes),
};

const { CAPOS_BOOT_ID = "" } = process.env;
const capset = openCapset();
const desks = openDesks(capset.file("tables"), CAPOS_BOOT_ID, world, openDataDisk());
if (desks.ok) {
  capset.onGrant((grant) => {
    const desk = findDesk(desks.value, grant);
    if (desk === undefined) cutOff(grant, "it is no gate of a session of these tables");
    else void serveGate(grant.stream, desk).closed.then((end) => (end.fault ? cutOff(grant, end.reason) : undefined));
  });
  capset.ready();
} else {
  giveUp(desks.reason);
}

/** Closes a connection and logs the reason. It does not wait for the audit record, because a broker also works without an audit. */
function cutOff({ holder, stream }: IncomingGrant, detail: string): void {
  stream.destroy();
  process.stderr.write(`${holder} was cut off: ${detail}\n`);
  if (!capset.held.has("audit")) return;
  const entry = { which: "session" as const, session: { name: holder, event: "cut off", detail } };
  void capset.connection("audit").call(AuditLog.methods.append, { entry });
}

/** Returns the data disk, or `undefined` if the machine has none: init then binds an empty read-only directory. */
function openDataDisk(): Disk | undefined {
  const directory = capset.directory("data");
  try {
    accessSync(directory, constants.W_OK);
    return openDirectoryDisk(directory);
  } catch {
    return undefined;
  }
}
