// Reads the options of `capc audit` that select records, such as `--session`, and the policy of the option `--policy`.

import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { Outcome } from "../../../engine/lib/wire/generated/capos.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { ScopePlace } from "../../../targets/contract/scope.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import {
  type ActivityPolicy,
  type Criteria,
  checkCriteria,
  parseMoment,
  parseToolPattern,
} from "../../queries/activity/index.ts";
import type { Option, ParsedArguments } from "../command.ts";
import { type NamedSide, readSide } from "../diff/side.ts";
import { tellOnly } from "../render-findings.ts";

/** Options that select records by their times. */
export const SPAN_OPTIONS: readonly Option[] = [
  {
    name: "since",
    value: "TIME",
    does: "show and summary: records since this time, such as 2027-01-30T09:00:00Z, 2027-01-30, 7d or 2h",
  },
  { name: "until", value: "TIME", does: "show and summary: records before this time" },
];

/** Options that select records. A record must match all of them. */
export const CRITERIA_OPTIONS: readonly Option[] = [
  ...SPAN_OPTIONS,
  { name: "session", value: "NAME", does: "show and summary: records of this session" },
  { name: "principal", value: "NAME", does: "show and summary: records that name this principal" },
  {
    name: "tool",
    value: "PATTERN",
    does: "show and summary: calls of these tools, such as notes.* or readOnly in Files",
  },
  {
    name: "outcome",
    value: "NAME",
    choices: Outcome.members,
    does: `show and summary: calls with this outcome, such as ok or deniedByUser`,
  },
  { name: "task", value: "NAME", does: "show and summary: records of conversations in this task" },
  {
    name: "policy",
    value: "PAGE|TABLES",
    does: "show and summary: page, folder, tables or image of the machine; explains the names in the log",
  },
];

export const CRITERIA_NAMES: readonly string[] = CRITERIA_OPTIONS.map(({ name }) => name);

const TIME_FORM = "a time such as 2027-01-30T09:00:00Z, a date, or a time back from now such as 7d, 2h or 30min";

/**
 * Returns the criteria of the options. `nowMs` is the time of this computer's clock; relative times such as `7d` are
 * counted back from it.
 */
export function parseCriteria({ values }: ParsedArguments, nowMs: number): Result<Criteria> {
  const [since, until] = ["since", "until"].map((name) => {
    const text = values.get(name);
    return text === undefined ? undefined : { name, text, at: parseMoment(text, nowMs) };
  });
  for (const time of [since, until]) {
    if (time !== undefined && time.at === undefined)
      return refuse(`--${time.name} is ${TIME_FORM}, not '${time.text}'`);
  }
  if (since?.at !== undefined && until?.at !== undefined && since.at >= until.at)
    return refuse(`--since ${since.text} is not before --until ${until.text}`);
  const text = values.get("tool");
  const pattern = text === undefined ? undefined : parseToolPattern(text);
  if (pattern?.ok === false) return refuse(`--tool: ${pattern.reason}`);
  return accept({
    since: since?.at,
    until: until?.at,
    session: values.get("session"),
    principal: values.get("principal"),
    tool: text === undefined || pattern === undefined ? undefined : { text, pattern: pattern.value },
    outcome: Outcome.members.find((name) => name === values.get("outcome")),
    task: values.get("task"),
  });
}

/** The policy that `--policy` names. */
export interface NamedPolicy extends ActivityPolicy {
  readonly name: string;
  /** SHA-256 of the policy tables, in hexadecimal. */
  readonly digest: string;
}

type PolicyGiven =
  | { readonly kind: "read"; readonly policy: NamedPolicy | undefined }
  | { readonly kind: "ended"; readonly status: ExitStatus; readonly reason: string | undefined };

/** Reads the policy that `--policy` names, and checks the names of the criteria against it. */
export async function readCriteriaPolicy(
  typed: ParsedArguments,
  criteria: Criteria,
  world: World,
): Promise<PolicyGiven> {
  const named = typed.values.get("policy");
  if (named === undefined) return { kind: "read", policy: undefined };
  const read = await readSide(named, world);
  if (read.kind === "refused") return { kind: "ended", status: read.status, reason: read.reason };
  if (read.kind === "findings") {
    tellOnly(read.diagnostics, typed, world);
    return { kind: "ended", status: 1, reason: undefined };
  }
  const { side } = read;
  const checked = checkCriteria(criteria, side.tables);
  if (!checked.ok) return { kind: "ended", status: 2, reason: checked.reason };
  return { kind: "read", policy: createPolicy(side) };
}

/**
 * Returns the parts of a page or of policy tables that a summary of an audit log needs. `origins`, which only a page
 * states, are the network addresses that each service and backend may reach.
 */
export function createPolicy(side: NamedSide): NamedPolicy {
  const { services = [], backends = [] } = side.page?.policy ?? {};
  const scoped = [...services, ...backends].flatMap((one) => {
    const scope = "scope" in one ? one.scope : undefined;
    return scope === undefined ? [] : [[one.name, scope.places.map(renderOrigin)] as const];
  });
  return { name: escapeInvisible(side.name), digest: side.digest(), tables: side.tables, origins: new Map(scoped) };
}

/**
 * Renders an address of a scope, such as `https://example.com`, as addresses in arguments are shown: without the
 * standard port of its scheme.
 */
function renderOrigin({ scheme, host, port }: ScopePlace): string {
  const isStandard = (scheme === "https" && port === 443) || (scheme === "http" && port === 80);
  return `${scheme}://${host}${isStandard ? "" : `:${port}`}`;
}
