import { openCapset } from "../wire/capset.ts";
import { converse } from "./loop.ts";

const capset = openCapset();
capset.ready();
// When the person has left, init stops the machine and this process with it.
await converse({
  terminal: capset.connection("console"),
  gate: capset.connection("gate"),
  model: capset.connection("model"),
  store: capset.connection("conversations"),
});
