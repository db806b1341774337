// The same for the one process that brings the prompt up: it asks for a line, and does nothing with it.

import { openCapset } from "../../../engine/lib/wire/capset.ts";
import { Terminal } from "../../../engine/lib/wire/generated/wire.ts";

const capset = openCapset();
capset.ready();
await capset.connection("console").call(Terminal.methods.readLine, {});
