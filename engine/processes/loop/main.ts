import { openCapset } from "../../lib/wire/capset.ts";
import { converse } from "./loop.ts";

const capset = openCapset();
const backends = [...capset.held.keys()].flatMap((name) => /^model\.(.+)$/.exec(name)?.slice(1) ?? []);
capset.ready();
// After the person has left, init stops the machine, including this process.
await converse({
  terminal: capset.connection("console"),
  gate: capset.connection("gate"),
  models: new Map(backends.map((name) => [name, capset.connection(`model.${name}`)])),
  store: capset.connection("conversations"),
});
