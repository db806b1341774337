// Measures the CPU seconds for writing tables of a hundred thousand entries, and the size of these tables.

import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { createTablesOfRules } from "./large-tables.ts";
import { measureMicroseconds } from "./micro.ts";

const value = createTablesOfRules(100_000);
const seconds = measureMicroseconds(() => encodeMessage(PolicyTables, value)) / 1e6;
process.stdout.write(JSON.stringify({ seconds, bytes: encodeMessage(PolicyTables, value).length }));
