import { MISSED } from "../../../engine/lib/policy/index.ts";
import { FUNCTIONS } from "./conditions.ts";
import { ANSWERS, EXPECTED, INGRESS_SOURCES, INHERITED, KINDS, LOGINS, REMEMBERED } from "./model/index.ts";
import { TIMED } from "./narrowing.ts";
import { PARAMETER_KINDS } from "./parameters.ts";
import { listByteUnits, listTimeUnits } from "./quantities.ts";
import { SCOPES } from "./quota.ts";
import { PLAIN } from "./quotas.ts";
import { KNOWN_SETTINGS } from "./settings.ts";
import { PLACES } from "./sources.ts";

/** Words that have a meaning only in their context, and are not declared anywhere. */
export const WORDS = {
  answers: ANSWERS,
  expected: EXPECTED,
  functions: FUNCTIONS,
  inherited: INHERITED,
  kinds: KINDS,
  logins: LOGINS,
  missed: MISSED,
  parameters: PARAMETER_KINDS,
  places: PLACES,
  remembered: REMEMBERED,
  scopes: SCOPES,
  settings: [...new Set(Object.values(KNOWN_SETTINGS).flat())],
  sizes: listByteUnits(),
  sources: INGRESS_SOURCES,
  timed: TIMED,
  times: listTimeUnits(),
  units: [...PLAIN, ...listByteUnits()],
} as const satisfies Readonly<Record<string, readonly string[]>>;
