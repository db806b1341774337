import { openCapset } from "../../../lib/wire/capset.ts";
import { serveStatus } from "./serve.ts";

const capset = openCapset();
const supervisor = capset.connection("supervisor");
capset.onGrant(({ stream }) => serveStatus(stream, supervisor));
capset.ready();
