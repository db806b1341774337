// Checks that policy tables do not contradict themselves: for example, each index must point to an entry that exists.
// Each check gives the first fault that it finds, with a reason that names the place.
import type {
  Backend,
  Category,
  Clause,
  Condition,
  Decision as DecisionList,
  Ingress,
  Label,
  Lattice,
  Literal,
  Parameter,
  PolicyTables,
  Quota,
  Redaction,
  Related,
  Release,
  Row,
  Source,
  Tool,
} from "../wire/generated/policy.ts";
import { findGroupFault } from "./clause-groups.ts";
import { parseDecimal } from "./decimal.ts";
import { isDomain } from "./domain.ts";
import { listConditions } from "./lines.ts";
import { MOST_PATTERNS, MOST_REDACTIONS, parseSearchPattern } from "./occurrences.ts";
import { buildStruct, isWithoutLayout } from "./param-layout.ts";
import { parseOrigin, parsePathSegments } from "./place.ts";
import { MAX_PARAMETERS, makeStandIn } from "./task-parameters.ts";
import { parseWildcard } from "./wildcard.ts";

const NO_PARENT = 65_535;
const MAX_COMPARTMENTS = 64;
/** Lowest value of a cell that stands for a decision; lower values stand for suppressed and uncovered tools. */
const FIRST_DECISION = 2;
type Fault = string | undefined;

/** Returns why the tables may not be used, or `undefined` if they are coherent. */
export function findTableFault(tables: PolicyTables): Fault {
  return (
    checkLattice(tables.lattice) ??
    findFirstFault(tables.categories, (category, index) => checkCategory(tables.categories, category, index)) ??
    findFirstFault(tables.tools, (tool) => checkTool(tables, tool)) ??
    checkNameOrder("tools", tables.tools) ??
    findFirstFault(tables.decisions, (list, index) => prefixFault(`decision ${index}`, checkDecision(tables, list))) ??
    findFirstFault(tables.backends, (backend) =>
      prefixFault(`backend ${backend.name}`, checkBackend(tables, backend)),
    ) ??
    findFirstFault(tables.releases, (release, index) =>
      prefixFault(`release ${index}`, checkRelease(tables, release)),
    ) ??
    findFirstFault(tables.rows, (row) => prefixFault(`row ${formatRowName(row)}`, checkRow(tables, row))) ??
    findFirstFault(tables.ingresses, (ingress) =>
      prefixFault(`ingress ${ingress.name}`, checkIngress(tables, ingress)),
    ) ??
    checkRedactions(tables) ??
    prefixFault("audit", checkAudit(tables)) ??
    checkRepetition("row", tables.rows.map(formatRowName)) ??
    checkPhases(tables.rows) ??
    checkCounters(tables.rows) ??
    checkSessions(tables.rows) ??
    checkParameters(tables)
  );
}

/**
 * Name of a row: session, task, phase and worker. Empty parts are included, so that two rows never have the same name
 * by accident.
 */
export function formatRowName(row: Row): string {
  return [row.session, row.task, row.phase, row.worker].join("/");
}

function checkLattice(lattice: Lattice): Fault {
  if (lattice.confidentiality.length === 0 || lattice.integrity.length === 0) return "the lattice has no levels";
  if (lattice.compartments.length > MAX_COMPARTMENTS) return `more than ${MAX_COMPARTMENTS} compartments`;
  return undefined;
}

function checkCategory(categories: readonly Category[], category: Category, index: number): Fault {
  let at: Category | undefined = category;
  for (let steps = 0; at.parent !== NO_PARENT; steps += 1) {
    if (steps > categories.length) return `category ${index} (${category.name}) is its own ancestor`;
    at = categories[at.parent];
    if (at === undefined) return `category ${index} (${category.name}) has a parent that is not there`;
  }
  return undefined;
}

function checkTool(tables: PolicyTables, tool: Tool): Fault {
  const fault =
    checkIndex("category", tool.category, tables.categories) ??
    checkLabel(tables, tool.result.low) ??
    checkLabel(tables, tool.result.high) ??
    checkLabel(tables, tool.sink) ??
    (isWithoutLayout(tool) || buildStruct(tool.params, tool.layout) !== undefined
      ? undefined
      : "its layout is not one of its parameters");
  // The place of a tool without a fault is not rendered, because there are thousands of tools.
  return fault === undefined ? undefined : prefixFault(`tool ${tool.name}`, fault);
}

function checkLabel(tables: PolicyTables, label: Label): Fault {
  const { lattice } = tables;
  const { compartments } = label;
  const hasStranger = compartments !== 0n && compartments >> BigInt(lattice.compartments.length) !== 0n;
  return (
    checkIndex("confidentiality level", label.confidentiality, lattice.confidentiality) ??
    checkIndex("integrity level", label.integrity, lattice.integrity) ??
    (hasStranger ? "a label names a compartment that is not there" : undefined)
  );
}

function checkDecision(tables: PolicyTables, list: DecisionList): Fault {
  if (list.clauses.length === 0) return "it has no clauses";
  return (
    findFirstFault(list.clauses, (clause) => checkConditional(tables, clause)) ??
    findGroupFault(list.clauses) ??
    findFirstFault(list.floors, (floor) => checkConditional(tables, floor))
  );
}

function checkConditional(tables: PolicyTables, { rule, conditions }: Pick<Clause, "rule" | "conditions">): Fault {
  return (
    checkIndex("rule", rule, tables.rules) ??
    findFirstFault(conditions, (condition) => checkCondition(tables, condition))
  );
}

function checkCondition(tables: PolicyTables, condition: Condition): Fault {
  const { literals, operator, path, sources } = condition;
  if (path.length === 0) return "a condition names no argument";
  if (operator === "from") return checkSources(tables, condition);
  if (sources.length > 0) return `a condition with ${operator} has sources`;
  if (literals.length === 0) return "a condition has nothing to compare with";
  if (operator !== "in" && literals.length !== 1) return `a condition with ${operator} has more than one literal`;
  return checkTerm(condition) ?? findFirstFault(literals, (literal) => checkLiteral(condition, literal));
}

/**
 * Checks that function, quantifier and extraction of a condition fit together. `has` of each element, for example,
 * never has a value: the rule would give the same mode to all calls, and nobody would notice.
 */
function checkTerm({ term, each, extract, absentHolds }: Condition): Fault {
  if (each !== "single" && (term === "count" || term === "has")) return `${term} is asked of each element`;
  if (each === "single" && extract !== "none" && term !== "count") return `${extract} are asked for one value`;
  if (term === "has" && (extract !== "none" || absentHolds)) return "has is asked of more than whether it is there";
  return undefined;
}

/**
 * Returns what is wrong with the sources of a `from` condition. A source may have conditions on other fields of its
 * record, as in `calendar.list.people[title from person]`; the sources in these conditions must have no such
 * conditions.
 */
function checkSources(tables: PolicyTables, { literals, sources }: Condition): Fault {
  if (literals.length > 0) return "a condition with from has literals";
  if (sources.length === 0) return "a condition with from has no sources";
  return findFirstFault(sources, (source) => checkSource(tables, source));
}

/** Finds a tool by binary search: the tools are in the order of their names, which was checked before. */
function findTool({ tools }: PolicyTables, name: string): Tool | undefined {
  let low = 0;
  let high = tools.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tools[middle]?.name ?? "") < name) low = middle + 1;
    else high = middle;
  }
  return tools[low]?.name === name ? tools[low] : undefined;
}

/** Checks a source. A source repeats the strength of its field for faster lookup; this strength must agree with the tool's field. */
function checkSource(tables: PolicyTables, source: Source): Fault {
  if (source.which !== "field") return undefined;
  const { tool: name, name: field, isStrong, related } = source.field;
  const tool = findTool(tables, name);
  if (tool === undefined) return `a source names the tool ${name}, which is not there`;
  if (tool.strong.includes(field) !== isStrong)
    return `the field ${field} of ${name} has another strength than its tool says`;
  return (
    checkRelated(related) ??
    findFirstFault(related, ({ sources }) => findFirstFault(sources, (inner) => checkSource(tables, inner)))
  );
}

function checkRelated(related: readonly Related[]): Fault {
  const isDeep = related.some(({ sources }) =>
    sources.some((source) => source.which === "field" && source.field.related.length > 0),
  );
  if (isDeep) return "a source of a record asks about another record";
  const isEmpty = related.some(({ sources, text }) => (sources.length === 0) === (text === ""));
  return isEmpty ? "a record of a source has a text or sources, and not both" : undefined;
}

/** Checks a literal: if it could never be compared, its rule would give the same mode to all calls, and nobody would notice. */
function checkLiteral(condition: Condition, literal: Literal): Fault {
  if (literal.which === "parameter") return checkParameterLiteral(condition, literal.parameter);
  const { operator, term } = condition;
  const text = literal.which === "text" ? literal.text : undefined;
  if (literal.which === "decimal" && parseDecimal(literal.decimal) === undefined)
    return "a literal is no exact decimal";
  return checkLiteralOfTerm(term, literal) ?? checkLiteralOfOperator(operator, term, text, literal);
}

/** Kinds of task parameters with which a condition may compare its term, by the kind of the term. */
const KINDS: { readonly [T in Condition["term"]]: readonly Parameter["kind"][] } = {
  value: ["text", "number", "money", "size"],
  size: ["number", "size"],
  count: ["number"],
  date: ["date"],
  duration: ["duration"],
  origin: ["text"],
  domain: ["text"],
  has: [],
};

function checkParameterLiteral({ operator, term }: Condition, { kind }: Pick<Parameter, "kind">): Fault {
  if (!KINDS[term].includes(kind)) return `a ${term} is compared with a parameter of the kind ${kind}`;
  if (operator === "matches") return "a parameter is a pattern";
  const standIn = makeStandIn(kind);
  return checkLiteralOfOperator(operator, term, standIn.which === "text" ? standIn.text : undefined, standIn);
}

/**
 * Checks that all rows of a task have the same parameters, and that each row has the parameters that its rules name.
 */
function checkParameters({ decisions, rows }: PolicyTables): Fault {
  const named = decisions.map((list) =>
    listConditions(list).flatMap(({ literals }) => literals.flatMap(listParameters)),
  );
  const asks = named.some((parameters) => parameters.length > 0);
  const known = new Map<string, string>();
  return findFirstFault(rows, (row) => {
    const { session, task, parameters } = row;
    const place = `row ${formatRowName(row)}`;
    const meant = JSON.stringify(parameters.map(({ name, kind, currency }) => [name, kind, currency]));
    const before = known.get(`${session}/${task}`) ?? meant;
    known.set(`${session}/${task}`, before);
    if (before !== meant) return `${place}: its task has other parameters elsewhere`;
    const fault = checkOwnParameters(row);
    if (fault !== undefined) return `${place}: ${fault}`;
    const stray = asks
      ? [...new Set(row.cells)].flatMap((cell) => named[cell - FIRST_DECISION] ?? []).find(isStray(parameters))
      : undefined;
    return stray && `${place}: its task has no parameter ${stray.name} of the kind ${stray.kind}`;
  });
}

function listParameters(literal: Literal): readonly Pick<Parameter, "name" | "kind">[] {
  return literal.which === "parameter" ? [literal.parameter] : [];
}

function isStray(parameters: readonly Parameter[]): (named: Pick<Parameter, "name" | "kind">) => boolean {
  return (named) => !parameters.some(({ name, kind }) => name === named.name && kind === named.kind);
}

function checkOwnParameters({ task, parameters }: Row): Fault {
  if (parameters.length > MAX_PARAMETERS) return `more than ${MAX_PARAMETERS} parameters`;
  if (parameters.length > 0 && task === "") return "parameters outside of a task";
  return (
    checkRepetition(
      "parameter",
      parameters.map(({ name }) => name),
    ) ??
    findFirstFault(parameters, ({ name, kind, currency }) => {
      if (name === "") return "a parameter without a name";
      return (kind === "money") === (currency !== "") ? undefined : `parameter ${name} has a wrong currency`;
    })
  );
}

function checkLiteralOfTerm(term: Condition["term"], literal: Literal): Fault {
  const text = literal.which === "text" ? literal.text : undefined;
  switch (term) {
    case "size":
      return literal.which === "decimal" ? undefined : "a size is compared with something else than a number";
    case "count":
    case "date":
    case "duration":
      return literal.which === "decimal" ? undefined : `a ${term} is compared with something else than a number`;
    case "origin":
      return text === undefined || parseOrigin(text) !== text ? "a literal is no origin" : undefined;
    case "domain":
      return text === undefined || !isDomain(text) ? "a literal is no domain" : undefined;
    case "has":
      return literal.which === "boolean" ? undefined : "has is compared with something else than a truth value";
    case "value":
      return undefined;
  }
}

function checkLiteralOfOperator(
  operator: Condition["operator"],
  term: Condition["term"],
  text: string | undefined,
  { which }: Literal,
): Fault {
  switch (operator) {
    case "under":
      if (term === "domain") return undefined;
      return term !== "value" || text === undefined || parsePathSegments(text) === undefined
        ? "a literal is no path"
        : undefined;
    case "less":
    case "lessOrEqual":
    case "greater":
    case "greaterOrEqual":
      return which === "decimal" ? undefined : "an order is asked of something else than a number";
    case "startsWith":
    case "endsWith":
    case "matches":
      if (operator === "matches" && text !== undefined && parseWildcard(text) === undefined)
        return "a literal is not a pattern";
      return text === undefined || term !== "value" ? `${operator} is asked of something else than a text` : undefined;
    case "equal":
    case "notEqual":
    case "in":
    case "from":
      return undefined;
  }
}

function checkBackend(tables: PolicyTables, { clearance, quotas }: Backend): Fault {
  return checkLabel(tables, clearance) ?? findFirstFault(quotas, (quota) => checkQuota(tables, quota));
}

/** Checks a release. A release needs a gate, because otherwise text that no person has seen could flow. */
function checkRelease(tables: PolicyTables, { tools, from, to, gate, rule }: Release): Fault {
  if (gate !== "consent" && gate !== "stepUp") return `its gate is ${gate}`;
  return (
    findFirstFault(tools, (tool) => checkIndex("tool", tool, tables.tools)) ??
    findFirstFault([from, to], (label) => checkLabel(tables, label)) ??
    checkIndex("rule", rule, tables.rules)
  );
}

/**
 * Choices of a timer for the runs that were due while the machine was off. It skips all of them, starts one run for
 * all, or starts each of them.
 */
export const MISSED = ["skip", "once", "each"] as const;

/** Maximum bytes of the message with which a run of a timer begins. */
export const MAX_MESSAGE_BYTES = 4096;

function checkIngress(tables: PolicyTables, { row, label, source, zone, missed, says }: Ingress): Fault {
  const hasTimes = zone !== "" && MISSED.some((choice) => choice === missed);
  const isTimer = source === "timer";
  const isTimed = isTimer ? hasTimes : zone === "" && missed === "";
  const isSaid = isTimer ? says !== "" && Buffer.byteLength(says) <= MAX_MESSAGE_BYTES : says === "";
  return (
    checkIndex("row", row, tables.rows) ??
    checkLabel(tables, label) ??
    (isTimed ? undefined : "its times are not valid") ??
    (isSaid ? undefined : "its message is not valid")
  );
}

/**
 * Checks the limit of the log. The limit states who may read the log, so it must not demand integrity. If the page sets no limit, the label
 * must be the lowest, because any other label would have no meaning.
 */
function checkAudit(tables: PolicyTables): Fault {
  const { hasLimit, above } = tables.audit;
  const isLowest = above.confidentiality === 0 && above.compartments === 0n;
  if (!hasLimit && !isLowest) return "it names a label and has no limit";
  return above.integrity === 0 ? checkLabel(tables, above) : "its label demands an integrity";
}

/** Checks that every redaction can be applied: otherwise, it would mask nothing. */
function checkRedactions(tables: PolicyTables): Fault {
  const { redactions } = tables;
  const patterns = redactions.reduce((sum, one) => sum + one.patterns.length, 0);
  if (redactions.length > MOST_REDACTIONS) return `more than ${MOST_REDACTIONS} redactions`;
  if (patterns > MOST_PATTERNS) return `redactions have more than ${MOST_PATTERNS} patterns`;
  return (
    checkNameOrder("redactions", redactions) ??
    findFirstFault(redactions, (one) => prefixFault(`redaction ${one.name}`, checkRedaction(tables, one)))
  );
}

function checkRedaction(tables: PolicyTables, { label, patterns, results, arguments: args }: Redaction): Fault {
  if (patterns.length + results.length + args.length === 0) return "it names nothing to mask";
  return (
    checkLabel(tables, label) ??
    findFirstFault(patterns, (text) =>
      parseSearchPattern(text) === undefined ? "a text is not a pattern" : undefined,
    ) ??
    findFirstFault([...results, ...args], ({ tool, name }) => {
      if (findTool(tables, tool) === undefined) return `it names the tool ${tool}, which is not there`;
      return name === "" ? `it names no field of ${tool}` : undefined;
    })
  );
}

/** Checks that no two phases of a task have the same position: otherwise, a task could go back from one to the other. */
function checkPhases(rows: readonly Row[]): Fault {
  const places = rows.map(({ session, task, worker, phaseIndex }) => [session, task, worker, phaseIndex].join("/"));
  return checkRepetition("phase", places);
}

/**
 * Checks that no rule belongs to two quotas of a session: counters belong to rules, so one counter would count for both
 * quotas.
 */
function checkCounters(rows: readonly Row[]): Fault {
  const known = new Map<string, string>();
  return findFirstFault(rows, (row) =>
    findFirstFault(row.quotas, ({ rule, amount, unit, name, scope }) => {
      const meant = `${amount} ${unit} ${name} ${scope}`;
      const before = known.get(`${row.session}/${rule}`) ?? meant;
      known.set(`${row.session}/${rule}`, before);
      return before === meant ? undefined : `rule ${rule} stands for two quotas of session ${row.session}`;
    }),
  );
}

/**
 * Returns what is wrong with the gate at which a conversation enters a row. The gate must not be `forbidden`. If the gate asks a person,
 * the row must name the rule that requires this gate.
 */
function checkEntry(tables: PolicyTables, { entry, entryRule }: Row): Fault {
  if (entry === "forbidden") return "nobody may enter it";
  return entry === "auto" ? undefined : checkIndex("rule", entryRule, tables.rules);
}

/** Returns what is wrong with the login of a row: no principal can log in, or the row has an idle time and no login. */
function checkLogin(tables: PolicyTables, { login, loginRule, principals, timeouts }: Row): Fault {
  if (login === "none") return timeouts.idleMs === 0 ? undefined : "it has an idle time, and no login opens it";
  const can = principals.some((index) => login !== "passphrase" || tables.principals[index]?.passphrase !== "");
  if (!can) return "nobody can log in to it";
  return checkIndex("rule", loginRule, tables.rules);
}

/**
 * Returns what is wrong with a row that requires a task. No tool may run in such a row, because exporters and
 * reviewers read only its cells, and do not see that it requires a task.
 */
function checkTaskRequirement({ decisions, rules, rows }: PolicyTables, row: Row): Fault {
  if (!row.requiresTask) return undefined;
  if (row.task !== "") return "it requires a task, and is one";
  if (!rows.some(({ session, task }) => session === row.session && task !== ""))
    return "it requires a task, and its session has none";
  const isClosed = (list: DecisionList | undefined) =>
    list?.clauses.some(({ conditions, met }) => conditions.length === 0 && met === "forbidden") ?? true;
  if (!row.cells.every((cell) => isClosed(decisions[cell - FIRST_DECISION])))
    return "it requires a task, and a tool may run in it";
  return checkIndex("rule", row.taskRule, rules);
}

/**
 * Checks that all rows of a session have the same login: a session that is locked in one row and open in another is not
 * protected.
 */
function checkSessions(rows: readonly Row[]): Fault {
  const known = new Map<string, Row["login"]>();
  const requiring = new Map<string, boolean>();
  return findFirstFault(rows, ({ session, login, task, requiresTask }) => {
    const required = requiring.get(session) ?? requiresTask;
    if (task === "") requiring.set(session, required);
    if (task === "" && required !== requiresTask) return `session ${session} requires a task in some rows alone`;
    const before = known.get(session) ?? login;
    known.set(session, before);
    return before === login ? undefined : `session ${session} is opened by ${before} and by ${login}`;
  });
}

function checkRow(tables: PolicyTables, row: Row): Fault {
  if (row.cells.length !== tables.tools.length) return `${row.cells.length} cells for ${tables.tools.length} tools`;
  const last = tables.decisions.length + 1;
  return (
    findFirstFault(row.cells, (cell) => (cell > last ? `cell value ${cell} is beyond the decisions` : undefined)) ??
    findFirstFault(row.principals, (principal) => checkIndex("principal", principal, tables.principals)) ??
    findFirstFault(row.backends, (choice) => checkIndex("backend", choice.backend, tables.backends)) ??
    findFirstFault([row.clearance, row.starts], (label) => checkLabel(tables, label)) ??
    findFirstFault(row.releases, (release) => checkIndex("release", release, tables.releases)) ??
    checkEntry(tables, row) ??
    checkLogin(tables, row) ??
    checkTaskRequirement(tables, row) ??
    findFirstFault(row.quotas, (quota) => checkQuota(tables, quota))
  );
}

function checkQuota(tables: PolicyTables, quota: Quota): Fault {
  const known = quota.unit !== "category" || tables.categories.some((category) => category.name === quota.name);
  return checkIndex("rule", quota.rule, tables.rules) ?? (known ? undefined : `no category ${quota.name} to count`);
}

function checkNameOrder(what: string, items: readonly { readonly name: string }[]): Fault {
  const wrong = items.findIndex((item, index) => index > 0 && (items[index - 1]?.name ?? "") >= item.name);
  return wrong === -1 ? undefined : `${what} are not in strict order of names at ${items[wrong]?.name}`;
}

function checkRepetition(what: string, names: readonly string[]): Fault {
  const seen = new Set<string>();
  return findFirstFault(names, (name) =>
    seen.size === seen.add(name).size ? `${what} ${name} stands twice` : undefined,
  );
}

function checkIndex(what: string, index: number, list: readonly unknown[]): Fault {
  return index < list.length ? undefined : `${what} ${index} is not there`;
}

function prefixFault(place: string, fault: Fault): Fault {
  return fault === undefined ? undefined : `${place}: ${fault}`;
}

function findFirstFault<T>(items: readonly T[], fault: (item: T, index: number) => Fault): Fault {
  // The loop has an index, because it runs for every cell: creating a pair for each of half a million cells takes a
  // quarter of a second. Without V8's optimizer, `for…of` creates an object for each cell, too.
  for (let index = 0; index < items.length; index++) {
    const found = fault(items[index] as T, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
