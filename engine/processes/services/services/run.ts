import type { Program } from "../../../lib/wire/program.ts";
import { serveServices } from "./serve.ts";

export const runServices: Program = (capset) => {
  const supervisor = capset.connection("supervisor");
  capset.onGrant(({ stream }) => serveServices(stream, supervisor));
  capset.ready();
};
