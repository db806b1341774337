// The laws of well-formed tables. Each check gives the first fault that it finds, in words that name the place.
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
  PolicyTables,
  Quota,
  Release,
  Row,
  Tool,
} from "../wire/generated/policy.ts";
import { decimalFrom } from "./decimal.ts";
import { originOf, pathSegments } from "./place.ts";

const NO_PARENT = 65_535;
const MAX_COMPARTMENTS = 64;
type Fault = string | undefined;

/** Why the tables may not be used; nothing where they hang together. */
export function faultIn(tables: PolicyTables): Fault {
  return (
    faultOfLattice(tables.lattice) ??
    first(tables.categories, (category, index) => faultOfCategory(tables.categories, category, index)) ??
    first(tables.tools, (tool) => faultOfTool(tables, tool)) ??
    unordered("tools", tables.tools) ??
    first(tables.decisions, (list, index) => within(`decision ${index}`, faultOfDecision(tables, list))) ??
    first(tables.backends, (backend) => within(`backend ${backend.name}`, faultOfBackend(tables, backend))) ??
    first(tables.releases, (release, index) => within(`release ${index}`, faultOfRelease(tables, release))) ??
    first(tables.rows, (row) => within(`row ${rowName(row)}`, faultOfRow(tables, row))) ??
    first(tables.ingresses, (ingress) => within(`ingress ${ingress.name}`, faultOfIngress(tables, ingress))) ??
    repeated("row", tables.rows.map(rowName)) ??
    faultOfPhases(tables.rows) ??
    faultOfCounters(tables.rows) ??
    faultOfSessions(tables.rows)
  );
}

/** session, task, phase and worker; empty parts stay, so that two rows never share a name by accident. */
export function rowName(row: Row): string {
  return [row.session, row.task, row.phase, row.worker].join("/");
}

function faultOfLattice(lattice: Lattice): Fault {
  if (lattice.confidentiality.length === 0 || lattice.integrity.length === 0) return "the lattice has no levels";
  if (lattice.compartments.length > MAX_COMPARTMENTS) return `more than ${MAX_COMPARTMENTS} compartments`;
  return undefined;
}

function faultOfCategory(categories: readonly Category[], category: Category, index: number): Fault {
  let at: Category | undefined = category;
  for (let steps = 0; at.parent !== NO_PARENT; steps += 1) {
    if (steps > categories.length) return `category ${index} (${category.name}) is its own ancestor`;
    at = categories[at.parent];
    if (at === undefined) return `category ${index} (${category.name}) has a parent that is not there`;
  }
  return undefined;
}

function faultOfTool(tables: PolicyTables, tool: Tool): Fault {
  const labels = [tool.result.low, tool.result.high, tool.sink];
  return within(
    `tool ${tool.name}`,
    missing("category", tool.category, tables.categories) ?? first(labels, (label) => faultOfLabel(tables, label)),
  );
}

function faultOfLabel(tables: PolicyTables, label: Label): Fault {
  const { lattice } = tables;
  const strangers = label.compartments >> BigInt(lattice.compartments.length);
  return (
    missing("confidentiality level", label.confidentiality, lattice.confidentiality) ??
    missing("integrity level", label.integrity, lattice.integrity) ??
    (strangers === 0n ? undefined : "a label names a compartment that is not there")
  );
}

function faultOfDecision(tables: PolicyTables, list: DecisionList): Fault {
  if (list.clauses.length === 0) return "it has no clauses";
  return (
    first(list.clauses, (clause) => faultOfClause(tables, clause)) ??
    first(list.floors, (floor) => missing("rule", floor.rule, tables.rules))
  );
}

function faultOfClause(tables: PolicyTables, clause: Clause): Fault {
  return missing("rule", clause.rule, tables.rules) ?? first(clause.conditions, faultOfCondition);
}

function faultOfCondition(condition: Condition): Fault {
  const { literals, operator, path } = condition;
  if (path.length === 0) return "a condition names no argument";
  if (literals.length === 0) return "a condition has nothing to compare with";
  if (operator !== "in" && literals.length !== 1) return `a condition with ${operator} has more than one literal`;
  return first(literals, (literal) => faultOfLiteral(condition, literal));
}

/** A literal that could never be compared would silently pick one side of its line. */
function faultOfLiteral({ operator, term }: Condition, literal: Literal): Fault {
  const text = literal.which === "text" ? literal.text : undefined;
  if (literal.which === "decimal" && decimalFrom(literal.decimal) === undefined) return "a literal is no exact decimal";
  if (term === "size" && literal.which !== "decimal") return "a size is compared with something else than a number";
  if (term === "origin" && (text === undefined || originOf(text) !== text)) return "a literal is no origin";
  switch (operator) {
    case "under":
      return text === undefined || pathSegments(text) === undefined ? "a literal is no path" : undefined;
    case "less":
    case "lessOrEqual":
    case "greater":
    case "greaterOrEqual":
      return literal.which === "decimal" ? undefined : "an order is asked of something else than a number";
    case "equal":
    case "notEqual":
    case "in":
      return undefined;
  }
}

function faultOfBackend(tables: PolicyTables, { clearance, quotas }: Backend): Fault {
  return faultOfLabel(tables, clearance) ?? first(quotas, (quota) => faultOfQuota(tables, quota));
}

/** A release without a gate would let words out that nobody has seen. */
function faultOfRelease(tables: PolicyTables, { tools, from, to, gate, rule }: Release): Fault {
  if (gate !== "consent" && gate !== "stepUp") return `its gate is ${gate}`;
  return (
    first(tools, (tool) => missing("tool", tool, tables.tools)) ??
    first([from, to], (label) => faultOfLabel(tables, label)) ??
    missing("rule", rule, tables.rules)
  );
}

function faultOfIngress(tables: PolicyTables, { row, label }: Ingress): Fault {
  return missing("row", row, tables.rows) ?? faultOfLabel(tables, label);
}

/** A phase that stands where another does could be entered backwards. */
function faultOfPhases(rows: readonly Row[]): Fault {
  const places = rows.map(({ session, task, worker, phaseIndex }) => [session, task, worker, phaseIndex].join("/"));
  return repeated("phase", places);
}

/** Counters hang on rules: one rule that stood for two quotas of a session would count them together. */
function faultOfCounters(rows: readonly Row[]): Fault {
  const known = new Map<string, string>();
  return first(rows, (row) =>
    first(row.quotas, ({ rule, amount, unit, name, scope }) => {
      const meant = `${amount} ${unit} ${name} ${scope}`;
      const before = known.get(`${row.session}/${rule}`) ?? meant;
      known.set(`${row.session}/${rule}`, before);
      return before === meant ? undefined : `rule ${rule} stands for two quotas of session ${row.session}`;
    }),
  );
}

/** Where a person has to be asked there must be a line that says so, and nobody may be locked out of a row. */
function faultOfEntry(tables: PolicyTables, { entry, entryRule }: Row): Fault {
  if (entry === "forbidden") return "nobody may enter it";
  return entry === "auto" ? undefined : missing("rule", entryRule, tables.rules);
}

/** Of a session that nobody could open, or that would have to lock by itself without a login that opens it. */
function faultOfLogin(tables: PolicyTables, { login, loginRule, principals, timeouts }: Row): Fault {
  if (login === "none") return timeouts.idleMs === 0 ? undefined : "it has an idle time, and no login opens it";
  const can = principals.some((index) => login !== "passphrase" || tables.principals[index]?.passphrase !== "");
  if (!can) return "nobody can log in to it";
  return missing("rule", loginRule, tables.rules);
}

/** A session that were open in one row and closed in another would be neither. */
function faultOfSessions(rows: readonly Row[]): Fault {
  const known = new Map<string, Row["login"]>();
  return first(rows, ({ session, login }) => {
    const before = known.get(session) ?? login;
    known.set(session, before);
    return before === login ? undefined : `session ${session} is opened by ${before} and by ${login}`;
  });
}

function faultOfRow(tables: PolicyTables, row: Row): Fault {
  if (row.cells.length !== tables.tools.length) return `${row.cells.length} cells for ${tables.tools.length} tools`;
  const last = tables.decisions.length + 1;
  return (
    first(row.cells, (cell) => (cell > last ? `cell value ${cell} is beyond the decisions` : undefined)) ??
    first(row.principals, (principal) => missing("principal", principal, tables.principals)) ??
    first(row.backends, (choice) => missing("backend", choice.backend, tables.backends)) ??
    first([row.clearance, row.starts], (label) => faultOfLabel(tables, label)) ??
    first(row.releases, (release) => missing("release", release, tables.releases)) ??
    faultOfEntry(tables, row) ??
    faultOfLogin(tables, row) ??
    first(row.quotas, (quota) => faultOfQuota(tables, quota))
  );
}

function faultOfQuota(tables: PolicyTables, quota: Quota): Fault {
  const known = quota.unit !== "category" || tables.categories.some((category) => category.name === quota.name);
  return missing("rule", quota.rule, tables.rules) ?? (known ? undefined : `no category ${quota.name} to count`);
}

function unordered(what: string, items: readonly { readonly name: string }[]): Fault {
  const wrong = items.findIndex((item, index) => index > 0 && (items[index - 1]?.name ?? "") >= item.name);
  return wrong === -1 ? undefined : `${what} are not in strict order of names at ${items[wrong]?.name}`;
}

function repeated(what: string, names: readonly string[]): Fault {
  const seen = new Set<string>();
  return first(names, (name) => (seen.size === seen.add(name).size ? `${what} ${name} stands twice` : undefined));
}

function missing(what: string, index: number, list: readonly unknown[]): Fault {
  return index < list.length ? undefined : `${what} ${index} is not there`;
}

function within(place: string, fault: Fault): Fault {
  return fault === undefined ? undefined : `${place}: ${fault}`;
}

function first<T>(items: readonly T[], fault: (item: T, index: number) => Fault): Fault {
  // Counted by hand: it is asked of every cell, and a pair for each of half a million takes a quarter of a second.
  let index = 0;
  for (const item of items) {
    const found = fault(item, index++);
    if (found !== undefined) return found;
  }
  return undefined;
}
