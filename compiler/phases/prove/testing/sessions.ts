// Random sessions, tasks, phases and workers as text. No law is checked: the prover works on the meaning of the lines.
import fc from "fast-check";
import { type CHECKS, CHOSEN_CHECKS, PARAMETERS } from "./interfaces.ts";
import { anyGate, anyLabel, anyMode, at, type Lattice, labelText, seldom, topText } from "./random-labels.ts";

/** Names that lines of a session can use. */
export interface Names {
  readonly lattice: Lattice;
  /** Patterns for tools that the page has, such as `Store.put`, `s1.put` and `s1.*`. */
  readonly patterns: readonly string[];
  /** Method of each pattern; absent for patterns of several methods. */
  readonly methods: ReadonlyMap<string, string>;
  readonly backends: readonly string[];
  /** For each method, the conditions that lines may have. */
  readonly checks: typeof CHECKS;
}

/**
 * Returns the names that lines of a task can use. If `chosen` is set, the task has parameters, which conditions can
 * name.
 */
function namesInTask(names: Names, { chosen }: Pick<AnyTask, "chosen">): Names {
  return chosen ? { ...names, checks: CHOSEN_CHECKS } : names;
}

const anyLine = fc.record({ mode: anyMode, pattern: fc.nat(30), where: fc.nat(9), otherwise: anyMode });
type AnyLine = typeof anyLine extends fc.Arbitrary<infer T> ? T : never;

/**
 * Generates several lines for one pattern. The lines have few different conditions, so that the conditions of one line
 * often include those of another line.
 */
const anyGroup = fc.record({
  pattern: fc.nat(30),
  lines: fc.array(
    fc.record({ mode: anyMode, wheres: fc.subarray([0, 1, 2, 3, 6, 7], { maxLength: 3 }), otherwise: anyMode }),
    { minLength: 2, maxLength: 4 },
  ),
});
type AnyGroup = typeof anyGroup extends fc.Arbitrary<infer T> ? T : never;

const anyFloor = fc.record({
  trust: fc.nat(2),
  level: fc.nat(3),
  mode: fc.constantFrom("consent", "stepUp", "forbidden", "forbidden"),
  pattern: fc.nat(30),
  alone: fc.nat(5),
  where: fc.nat(12),
  and: fc.nat(12),
});
const anyQuota = fc.record({
  amount: fc.constantFrom(1, 2, 3, 5),
  unit: fc.constantFrom("calls", "prompts", "destructive", "mutatingLocal", "tokens"),
  scope: fc.constantFrom("call", "turn", "conversation", "task", "login", "hour", "day"),
});
type AnyQuota = typeof anyQuota extends fc.Arbitrary<infer T> ? T : never;

export { anyQuota };

const anyNarrowing = fc.record({
  lines: fc.array(anyLine, { maxLength: 2 }),
  group: fc.option(anyGroup),
  only: seldom(fc.array(fc.nat(30), { minLength: 1, maxLength: 3 })),
  suppress: seldom(fc.nat(30)),
  floors: fc.array(anyFloor, { maxLength: 1 }),
  quotas: fc.array(anyQuota, { maxLength: 1 }),
});
export type AnyNarrowing = typeof anyNarrowing extends fc.Arbitrary<infer T> ? T : never;

const anyModels = fc.array(fc.record({ mode: anyMode, backend: fc.nat(3) }), { minLength: 1, maxLength: 3 });

export const anySession = fc.record({
  kind: fc.constantFrom("operator", "operator", "guest", "anonymous", "service"),
  relation: fc.constantFrom("", "", "extends", "from"),
  clearance: anyLabel,
  high: fc.boolean(),
  starts: fc.option(anyLabel, { freq: 3 }),
  models: anyModels,
  roots: fc.record({ readOnly: anyMode, mutatingLocal: anyMode, destructive: anyMode, outboundNet: anyMode }),
  narrowing: anyNarrowing,
});
type AnySession = typeof anySession extends fc.Arbitrary<infer T> ? T : never;

export const anyTask = fc.record({
  chosen: fc.boolean(),
  narrowing: anyNarrowing,
  phases: fc.array(fc.record({ after: fc.option(anyGate), narrowing: anyNarrowing }), { maxLength: 2 }),
});
type AnyTask = typeof anyTask extends fc.Arbitrary<infer T> ? T : never;

export const anyWorker = fc.record({ inTask: fc.boolean(), narrowing: anyNarrowing });
type AnyWorker = typeof anyWorker extends fc.Arbitrary<infer T> ? T : never;

/** Parts of a session that are not random: its name, its base (`extends` or `from`), and further lines. */
interface Written {
  readonly name: string;
  readonly base: string | undefined;
  readonly more: string;
}

export function sessionText(names: Names, { name, base, more }: Written, any: AnySession): string {
  const { lattice } = names;
  const models = new Map(any.models.map(({ mode, backend }) => [at(names.backends, backend), mode]));
  const roots = Object.entries(any.roots).map(([category, mode]) => `${mode} ${category}`);
  return `session ${name} ${base === undefined ? "" : `${any.relation} ${base}`} {
    kind ${any.kind}
    ${more}
    clearance ${any.high ? topText(lattice) : labelText(lattice, any.clearance)}
    ${any.starts === null ? "" : `starts ${labelText(lattice, any.starts)}`}
    models { ${[...models].map(([backend, mode]) => `${mode} ${backend}`).join("  ")} }
    permit { ${roots.join("  ")} }
    ${narrowingText(names, any.narrowing, false)}
  }`;
}

/** Returns the text of a task. `releases` are release lines that are written in the task. */
export function taskText(names: Names, session: string, any: AnyTask, releases: readonly string[]): string {
  const { chosen, narrowing, phases } = any;
  const own = namesInTask(names, any);
  const inner = phases.map(
    (phase, index) =>
      `phase p${index} ${index === 0 || phase.after === null ? "" : `after ${phase.after}`} { ${narrowingText(own, phase.narrowing, true)} }`,
  );
  return `task triage${chosen ? PARAMETERS : ""} in ${session} {\n${[...releases, narrowingText(own, narrowing, true), ...inner].join("\n")}\n}`;
}

/** Returns the text of a worker. `task` is the task of the page, which may start the worker. */
export function workerText(names: Names, into: string, { narrowing }: AnyWorker, task: AnyTask | null): string {
  const own = task !== null && into.includes(".") ? namesInTask(names, task) : names;
  return `worker digest in ${into} { ${narrowingText(own, narrowing, into.includes("."))} }`;
}

function narrowingText(names: Names, { lines, group, ...said }: AnyNarrowing, inTask: boolean): string {
  const { only, suppress, floors, quotas } = said;
  const permitted = [
    ...lines.map((line) => lineText(names, line)),
    ...(group === null ? [] : groupLines(names, group)),
  ];
  const permit = permitted.length === 0 ? [] : [`permit { ${permitted.join("  ")} }`];
  const onlies = only === null ? [] : [`only ${only.map((index) => at(names.patterns, index)).join(", ")}`];
  const hidden = suppress === null ? [] : [`suppress ${at(names.patterns, suppress)}`];
  const met = floors.map(({ trust, level, mode, pattern, alone, ...asked }) => {
    const levels = names.lattice.confidentiality;
    const secret = level % (levels.length + 1);
    const when =
      secret === 0 ? `integrity <= ${at(names.lattice.integrity, trust)}` : `confidentiality >= ${levels[secret - 1]}`;
    const name = at(names.patterns, pattern);
    const known = names.checks[names.methods.get(name) ?? ""] ?? [];
    const checks = [known[asked.where], known[asked.and]].filter((check) => check !== undefined);
    const where = checks.length === 0 ? "" : ` where ${checks.join(" and ")}`;
    return `when ${when}${alone === 0 ? " and unattended" : ""} { atLeast ${mode} ${name}${where} }`;
  });
  const counted = quotas.map(
    (quota) =>
      `quota { ${quotaText(inTask ? quota : { ...quota, scope: quota.scope === "task" ? "conversation" : quota.scope })} }`,
  );
  return [...permit, ...onlies, ...hidden, ...met, ...counted].join("\n");
}

export function quotaText({ amount, unit, scope }: AnyQuota): string {
  const counted = unit === "destructive" || unit === "mutatingLocal" ? `${unit} calls` : unit;
  return `${amount} ${counted} per ${scope}`;
}

function lineText(names: Names, { mode, pattern, where, otherwise }: AnyLine): string {
  const name = at(names.patterns, pattern);
  const checks = names.checks[names.methods.get(name) ?? ""];
  const check = checks?.[where];
  return check === undefined ? `${mode} ${name}` : `${mode} ${name} where ${check} else ${otherwise}`;
}

function groupLines(names: Names, { pattern, lines }: AnyGroup): readonly string[] {
  const name = at(names.patterns, pattern);
  const known = names.checks[names.methods.get(name) ?? ""] ?? [];
  return lines.map(({ mode, wheres, otherwise }) => {
    const checks = wheres.flatMap((where) => known[where] ?? []);
    return checks.length === 0 ? `${mode} ${name}` : `${mode} ${name} where ${checks.join(" and ")} else ${otherwise}`;
  });
}
