import type { Program } from "../../lib/wire/program.ts";
import { converse } from "./loop.ts";

/** Resolves when the person has left. Init then stops the machine, including this process. */
export const runLoop: Program = async (capset) => {
  const backends = [...capset.held.keys()].flatMap((name) => /^model\.(.+)$/.exec(name)?.slice(1) ?? []);
  capset.ready();
  await converse({
    terminal: capset.connection("console"),
    gate: capset.connection("gate"),
    models: new Map(backends.map((name) => [name, capset.connection(`model.${name}`)])),
    store: capset.connection("conversations"),
  });
};
