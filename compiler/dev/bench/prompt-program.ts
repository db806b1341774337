// Replaces the process that shows the prompt: it asks for a line, and ignores it.

import { openCapset } from "../../../engine/lib/wire/capset.ts";
import { Terminal } from "../../../engine/lib/wire/generated/wire.ts";

const capset = openCapset();
capset.ready();
void capset.connection("console").call(Terminal.methods.readLine, {});
