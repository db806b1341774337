// Runs xorriso: `node xorriso-program.mjs WORDS…` does the same as `xorriso WORDS…`, with the same messages and exit
// status. It also prints `written N %` for each written hundredth of an image. It is a separate process because it has
// another licence, it may trap, and its memory is freed when it ends.

import { readFileSync, writeSync } from "node:fs";
import xorriso from "./generated/xorriso.cjs";

/** Environment variables that affect an image. TZ is missing because Node itself applies it. */
const HEARD = ["LC_ALL", "SOURCE_DATE_EPOCH"];

/** Reports a fatal error in the form of xorriso, and exits with the status of such an error. */
function fail(words) {
  writeSync(2, `xorriso : FATAL : ${words}\n`);
  process.exit(32);
}

/** The xorriso module; undefined until it is loaded. */
let instance;

/** Ends the process after xorriso has exited or trapped, because of a defect or a lack of memory. */
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
    // Messages of the loader are dropped, because the error is reported once at the end.
    printErr: () => {},
    preRun: ({ ENV }) => {
      for (const name of HEARD) if (process.env[name] !== undefined) ENV[name] = process.env[name];
    },
  });
  instance.callMain(process.argv.slice(2));
} catch (error) {
  end(1, error);
}
