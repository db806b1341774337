// xorriso as a program: `node xorriso-program.mjs WORDS…` is `xorriso WORDS…`, with its messages on standard error, its exit status,
// and a line `written N %` whenever another hundredth of an image is written. A process of its own: it is of another licence, it
// may trap, and its memory is gone when it ends.

import { readFileSync, writeSync } from "node:fs";
import xorriso from "./generated/xorriso.cjs";

/** What of the environment changes an image. TZ reaches it through Node itself. */
const HEARD = ["LC_ALL", "SOURCE_DATE_EPOCH"];

/** As xorriso says of itself that it cannot go on. */
function fail(words) {
  writeSync(2, `xorriso : FATAL : ${words}\n`);
  process.exit(32);
}

/** Fails for want of memory, or by a defect of xorriso's or ours. */
function sayTrap(error) {
  fail(error instanceof Error ? error.message.split("\n", 1)[0] : String(error));
}

function programBytes() {
  try {
    return readFileSync(new URL("./generated/xorriso.wasm", import.meta.url));
  } catch (error) {
    return fail(`its program cannot be read: ${error.message}`);
  }
}

try {
  const instance = await xorriso({
    wasmBinary: programBytes(),
    thisProgram: "xorriso",
    // Otherwise a trap is said twice, the second time with a stack.
    printErr: () => {},
    preRun: ({ ENV }) => {
      for (const name of HEARD) if (process.env[name] !== undefined) ENV[name] = process.env[name];
    },
  });
  process.exitCode = instance.callMain(process.argv.slice(2));
} catch (error) {
  sayTrap(error);
}
