// This process is killed by the test: it prints what the store has acknowledged, and continues.

import { writeSync } from "node:fs";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { openStore } from "../opening.ts";
import { makeSaying } from "./saying.ts";
import type { Death } from "./writer.ts";

const [, , where = "", bootId = "", death = ""] = process.argv;
const { call, count }: Death = JSON.parse(death);
let left = count;

function countCall(what: Death["call"]): void {
  left -= what === call ? 1 : 0;
  if (left < 0) process.kill(process.pid, "SIGKILL");
}

const { run } = StatementSync.prototype;
StatementSync.prototype.run = function (...words) {
  countCall("statement");
  return Reflect.apply(run, this, words);
};
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  countCall("statement");
  exec.call(this, sql);
};

const store = openStore(where, { now: () => 0, bootId });
/** Prints a line at once, so that the line is not lost if the process is killed afterwards. */
function tell(line: string): void {
  writeSync(1, `${line}\n`);
  countCall("acknowledged");
}

for (;;) {
  const begun = store.begin("operator");
  if (!begun.ok || !store.open("operator", begun.value).ok) throw new Error("nothing is begun");
  for (let index = 0; index < 20; index += 1) {
    if (store.append("operator", begun.value, [makeSaying(`${begun.value} ${index}`)]).ok) tell(`said ${begun.value}`);
  }
  const next = store.begin("operator");
  if (!next.ok || !store.open("operator", next.value).ok || !next.value.endsWith("2")) continue;
  tell(`forgets ${begun.value}`);
  store.forget("operator", begun.value);
}
