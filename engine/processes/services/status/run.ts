import type { Program } from "../../../lib/wire/program.ts";
import { serveStatus } from "./serve.ts";

export const runStatus: Program = (capset) => {
  const supervisor = capset.connection("supervisor");
  capset.onGrant(({ stream }) => serveStatus(stream, supervisor));
  capset.ready();
};
