import type { Program } from "../../../lib/wire/program.ts";
import { Journal } from "./journal.ts";
import { serveLogs } from "./serve.ts";

export const runLogs: Program = (capset) => {
  const journal = new Journal(capset.connection("supervisor"));
  capset.onGrant(({ stream }) => serveLogs(stream, journal));
  capset.ready();
};
