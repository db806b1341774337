// Replaces the loop in an image that measures booting. It requests a line of input from the console, so that the prompt
// appears, and ignores the line.

import { openCapset } from "../../../engine/lib/wire/capset.ts";
import { Terminal } from "../../../engine/lib/wire/generated/wire.ts";

const capset = openCapset();
capset.ready();
void capset.connection("console").call(Terminal.methods.readLine, {});
