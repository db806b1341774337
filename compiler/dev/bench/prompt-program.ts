// Replaces the process that shows the prompt. This program requests a line of input from the console, and ignores the
// line.

import { openCapset } from "../../../engine/lib/wire/capset.ts";
import { Terminal } from "../../../engine/lib/wire/generated/wire.ts";

const capset = openCapset();
capset.ready();
void capset.connection("console").call(Terminal.methods.readLine, {});
