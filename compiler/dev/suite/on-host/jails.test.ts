// Runs the probers of `compiler/dev/jails` with `capc run --on-host` in a guest with Debian's kernel. Every attempt
// must have the same result as on a machine, except where the run lacks a property of a machine. In this guest the run
// lacks only a kernel of its own and the network.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { declareJailTests } from "../../jails/jail-claims.ts";
import { type Played, prepareRun } from "../../jails/jail-machine.ts";
import { CHECKOUT } from "../stage.ts";
import { formatCommand, runInGuest, takeReport } from "./guest.ts";

/** Number that the first run on a host adds to the user id of each process. */
const FIRST_USER = 0x7800_0000;

/** Folder for temporary files. It is not in `/tmp`, because the guest has its own `/tmp`. */
const BUILD = join(CHECKOUT, "build");

async function play(): Promise<Played> {
  mkdirSync(BUILD, { recursive: true });
  const scratch = mkdtempSync(join(BUILD, ".on-host-"));
  try {
    const words = [...(await prepareRun(scratch)), "--on-host", "--without", "own-kernel", "--without", "network"];
    const { lines } = await runInGuest(formatCommand(words), scratch);
    return { lines, verdicts: takeReport(lines).verdicts };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

declareJailTests(await play(), FIRST_USER);
