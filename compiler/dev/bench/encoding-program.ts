// Program of the bench: CPU seconds of writing tables of a hundred thousand entries, and how long they are.

import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { tablesOfRules } from "./large-tables.ts";
import { microsecondsOf } from "./micro.ts";

const value = tablesOfRules(100_000);
const seconds = microsecondsOf(() => encodeMessage(PolicyTables, value)) / 1e6;
process.stdout.write(JSON.stringify({ seconds, bytes: encodeMessage(PolicyTables, value).length }));
