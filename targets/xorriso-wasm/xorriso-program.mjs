// xorriso as a program: `node xorriso-program.mjs WORDS…` is `xorriso WORDS…`, with its messages on standard error, its exit status,
// and a line `written N %` whenever another hundredth of an image is written. A process of its own: it is of another licence, it
// may trap, and its memory is gone when it ends.

import { readFileSync, writeSync } from "node:fs";
import xorriso from "./generated/xorriso.cjs";

/** Variables of the environment that change an image. TZ reaches it through Node itself. */
const HEARD = ["LC_ALL", "SOURCE_DATE_EPOCH"];

/** As xorriso says of itself that it cannot go on, and with the status that it then ends with. */
function fail(words) {
  writeSync(2, `xorriso : FATAL : ${words}\n`);
  process.exit(32);
}

/** Once it is loaded. */
let instance;

/** The end of xorriso: its own, or that of a program which trapped, by a defect or for want of memory. */
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
    // Errors are reported once, at the end.
    printErr: () => {},
    preRun: ({ ENV }) => {
      for (const name of HEARD) if (process.env[name] !== undefined) ENV[name] = process.env[name];
    },
  });
  instance.callMain(process.argv.slice(2));
} catch (error) {
  end(1, error);
}
