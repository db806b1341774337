import { openCapset } from "../../../lib/wire/capset.ts";
import { serveServices } from "./serve.ts";

const capset = openCapset();
const supervisor = capset.connection("supervisor");
capset.onGrant(({ stream }) => serveServices(stream, supervisor));
capset.ready();
