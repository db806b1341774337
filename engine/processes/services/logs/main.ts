import { openCapset } from "../../../lib/wire/capset.ts";
import { Journal } from "./journal.ts";
import { serveLogs } from "./serve.ts";

const capset = openCapset();
const journal = new Journal(capset.connection("supervisor"));
capset.onGrant(({ stream }) => serveLogs(stream, journal));
capset.ready();
