// Runs xorriso: `node xorriso-program.mjs ARGUMENTS…` does what `xorriso ARGUMENTS…` does. Messages and exit status are those of xorriso.
// After each hundredth of an image, a line `written N %` is written to standard error. The program runs in a separate process, because it
// has another licence and may trap, and because its memory is freed when it ends.

import { readFileSync, writeSync } from "node:fs";
import xorriso from "./generated/xorriso.cjs";

/** Variables of the environment that change an image. TZ reaches the program through Node itself. */
const HEARD = ["LC_ALL", "SOURCE_DATE_EPOCH"];

/** Prints a message in the form of xorriso's fatal errors, and exits with xorriso's status for such errors. */
function fail(words) {
  writeSync(2, `xorriso : FATAL : ${words}\n`);
  process.exit(32);
}

/** Module of the program; `undefined` until it is loaded. */
let instance;

/**
 * Exits with the status of xorriso. If the WebAssembly program trapped, because of a defect or missing memory, this function reports the
 * trap.
 */
function end(status, reason) {
  if (reason?.name === "ExitStatus") process.exit(status);
  const [first] = String(reason?.message ?? reason).split("\n");
  const had = instance === undefined ? "" : `, with ${instance.HEAP8.length >> 20} MiB of at most 512 in use`;
  fail(`its program was stopped${had}: ${first}`);
}

function programBytes() {
  try {
    return readFileSync(new URL("./generated/xorriso.wasm", import.meta.url));
  } catch (error) {
    return fail(`its program cannot be read: ${error.message}`);
  }
}

try {
  instance = await xorriso({
    wasmBinary: programBytes(),
    thisProgram: "xorriso",
    quit: end,
    // Print nothing when the WebAssembly program stops with an error: the function `end` reports the error once.
    printErr: () => {},
    preRun: ({ ENV }) => {
      for (const name of HEARD) if (process.env[name] !== undefined) ENV[name] = process.env[name];
    },
  });
  instance.callMain(process.argv.slice(2));
} catch (error) {
  end(1, error);
}
