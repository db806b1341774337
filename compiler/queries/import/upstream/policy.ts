// Converts the tables in a manifest of capc to lines of a policy: the decisions for each session and tool. Inheritance, profiles and the
// words of lines are not in tables, and are lost. The page is compiled later, to test whether it makes the same decisions.

import {
  FIRST_DECISION,
  findList,
  formatLabel,
  type IndexedTables,
  isStricter,
  listCompartments,
  listConditions,
  renderCondition,
  SUPPRESSED,
} from "../../../../engine/lib/policy/index.ts";
import type { Backend, Clause, Floor, Label, Quota, Row, Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { MAX_FILE_BYTES } from "../../../../lang/grammar/index.ts";
import { ANY_INTEGRITY } from "../../../phases/prove/index.ts";
import type { Findings } from "./findings.ts";
import { isPageName } from "./names.ts";
import type { Parts } from "./parts.ts";

/** Returns the parts of a page. Returns `undefined` if a page cannot express them, after reporting this. */
export function readParts(tables: IndexedTables, findings: Findings): Parts | undefined {
  const known = findings.all.length;
  checkNames(tables, findings);
  checkLeft(tables, findings);
  checkLength(tables, findings);
  if (findings.all.length > known) return undefined;
  const { systemId, version, principals, rows } = tables;
  return {
    system: systemId,
    version,
    declarations: [...renderLattice(tables), ...renderCategories(tables)],
    faces: collectFaces(tables),
    backends: tables.backends.map((backend) => renderBackend(backend, tables, findings)),
    principals,
    sessions: rows.filter(isWhole).map((row) => ({
      name: row.session,
      kind: row.kind,
      principals: row.principals.flatMap((index) => principals[index]?.name ?? []),
      login: row.login,
      loginMs: BigInt(row.timeouts.loginMs),
      callMs: row.timeouts.callMs,
      turnMs: row.timeouts.turnMs,
      idleMs: row.timeouts.idleMs,
      lines: renderSessionLines(row, tables),
    })),
  };
}

/** Returns whether a row belongs to a session itself, not to a task or a worker. */
function isWhole({ task, worker }: Row): boolean {
  return task === "" && worker === "";
}

/**
 * Reports names that a page cannot contain. Names are written unchanged, so such a name would be an error on the page.
 */
function checkNames(tables: IndexedTables, findings: Findings): void {
  const { lattice, tools, rows, backends, principals, categories } = tables;
  const names = [
    tables.systemId,
    ...[...lattice.confidentiality, ...lattice.integrity, ...lattice.compartments],
    ...categories.map(({ name }) => name),
    ...tools.flatMap(({ provider, methodName, interfaceName }) => [provider, methodName, ...interfaceName.split(".")]),
    ...rows.map(({ session }) => session),
    ...backends.map(({ name }) => name),
    ...principals.map(({ name }) => name),
    ...[...rows, ...backends].flatMap(({ quotas }) => quotas.flatMap(({ name }) => (name === "" ? [] : [name]))),
    ...tables.decisions.flatMap(listConditions).flatMap(({ path }) => path),
  ];
  for (const name of new Set(names)) {
    if (!isPageName(name)) findings.reportUnread(`\`${name.slice(0, 64)}\``, "it is no name that a page can write");
  }
}

/**
 * Reports parts of the tables for which no line of a page can be written, because the manifest does not describe them
 * completely.
 */
function checkLeft(tables: IndexedTables, findings: Findings): void {
  const { rows, releases, redactions, ingresses, tools, audit } = tables;
  for (const { session, task, worker } of rows.filter((row) => !isWhole(row)))
    findings.reportUnread(
      `${worker === "" ? "task" : "worker"} ${session}.${worker === "" ? task : worker}`,
      "tables say what is decided in it, and not how it is begun",
    );
  if (releases.length > 0)
    findings.reportUnread("declassify and endorse", "lines of several sessions are one in tables");
  for (const { name } of redactions)
    findings.reportUnread(
      `redaction ${name}`,
      "its fields are of an imported interface, or its backends not in the manifest",
    );
  if (audit.hasLimit || audit.keep !== "always")
    findings.reportUnread("audit", "upstream has no audit of calls, whose limit this is");
  for (const { name } of ingresses)
    findings.reportUnread(`ingress ${name}`, "a page names its source in words that tables do not keep");
  for (const { redact, name } of tools)
    if (redact.length > 0)
      findings.reportUnread(`tool ${name}`, "what is masked of its results is of an imported interface");
  const imported = new Set(tools.map(({ interfaceName }) => interfaceName).filter((name) => name.includes(".")));
  for (const name of imported) findings.reportUnread(`interface ${name}`, "the manifest does not hold its schema");
  const literals = tables.decisions.flatMap(listConditions).flatMap((one) => one.literals);
  if (literals.some((literal) => literal.which === "decimal" && !/^-?\d+(\.\d+)?$/.test(literal.decimal)))
    findings.reportUnread("a number of a condition", "it is no decimal");
}

/**
 * Reports tables whose lines would be too long for a page. A cell refers to a decision by number, so a few bytes of
 * tables can give a text of any length. The length of names is ignored, because names are short.
 */
function checkLength(tables: IndexedTables, findings: Findings): void {
  const lengths = tables.decisions.map(({ clauses, floors }) => {
    const texts = [
      ...clauses.map((each) => renderClause(each, "")),
      ...floors.map((each) => renderFloor(each, "", tables)),
    ];
    return texts.reduce((sum, text) => sum + text.length, 0);
  });
  const computeLength = (cell: number) => (cell === SUPPRESSED ? 1 : (lengths[cell - FIRST_DECISION] ?? 0));
  let left = MAX_FILE_BYTES;
  for (const { cells } of tables.rows) {
    for (const cell of cells) left -= computeLength(cell);
    if (left >= 0) continue;
    findings.reportUnread("its lines", `a page has ${MAX_FILE_BYTES} bytes at most, and they would have more`);
    return;
  }
}

/** Renders the levels. Levels that are the defaults of the language are rendered too, which does not change the meaning of the page. */
function renderLattice({ lattice }: IndexedTables): readonly string[] {
  const { confidentiality, integrity, compartments } = lattice;
  return [
    `confidentiality { ${confidentiality.join(" < ")} }`,
    `integrity { ${integrity.join(" < ")} }`,
    ...(compartments.length === 0 ? [] : [`compartments { ${compartments.join(", ")} }`]),
  ];
}

const NO_PARENT = 65_535;

function renderCategories({ categories }: IndexedTables): readonly string[] {
  return categories
    .filter(({ parent }) => parent !== NO_PARENT)
    .map(({ name, parent }) => `category ${name} : ${categories[parent]?.name ?? ""}`);
}

function collectFaces(tables: IndexedTables): Parts["faces"] {
  const first = new Map(tables.tools.map((tool) => [tool.provider, tool] as const).reverse());
  return new Map(
    [...first].map(([provider, tool]) => [
      provider,
      { name: tool.interfaceName, label: renderServiceLabel(tool, tables) },
    ]),
  );
}

const PUBLIC: Label = { confidentiality: 0, integrity: 0, compartments: 0n };

/** Renders the label of a service; empty if it equals the default. */
function renderServiceLabel({ result: { low }, sink }: Tool, { lattice }: IndexedTables): string {
  const isSame = (one: Label, other: Label) =>
    one.confidentiality === other.confidentiality && one.compartments === other.compartments;
  if (isSame(low, PUBLIC) && isSame(sink, PUBLIC) && low.integrity === 0) return "";
  const begins = formatLabel(lattice, low);
  return isSame(low, sink)
    ? ` label ${begins}`
    : ` label ${begins} .. ${formatLabel(lattice, { ...sink, integrity: 0 })}`;
}

function renderBackend(backend: Backend, { lattice }: IndexedTables, findings: Findings): string {
  const { name, kind, clearance, quotas } = backend;
  if (kind !== "stub") findings.reportUnread(`backend ${name}`, "the manifest does not say which model it is of");
  const quota = quotas.length === 0 ? "" : ` quota { ${quotas.map(renderQuota).join(" ")} }`;
  return `backend ${name} { stub clearance ${formatLabel(lattice, clearance)}${quota} }`;
}

function renderSessionLines(row: Row, tables: IndexedTables): readonly string[] {
  const { lattice, backends, tools } = tables;
  const models = row.backends.map(({ backend, mode }) => `${mode} ${backends[backend]?.name ?? ""}`);
  const suppressed = tools.filter((_, index) => row.cells[index] === SUPPRESSED).map(renderTool);
  const decided = tools.flatMap((tool, index) => {
    const list = findList(tables, row, index);
    return list === undefined ? [] : [{ tool: renderTool(tool), ...list }];
  });
  const lines = decided.flatMap(({ tool, clauses }) => joinGroups(clauses).map((clause) => renderClause(clause, tool)));
  const floors = decided.flatMap(({ tool, floors: all }) => all.map((floor) => renderFloor(floor, tool, tables)));
  return [
    `clearance ${formatLabel(lattice, row.clearance)}`,
    `starts ${formatLabel(lattice, row.starts)}`,
    `models { ${models.join(" ")} }`,
    `permit {\n${lines.map((line) => `${line}\n`).join("")}}`,
    ...floors,
    ...(suppressed.length === 0 ? [] : [`suppress ${suppressed.join(", ")}`]),
    ...(row.quotas.length === 0 ? [] : [`quota { ${row.quotas.map(renderQuota).join(" ")} }`]),
    ...(row.remember === "none" ? [] : [`remember ${row.remember}`]),
  ];
}

/**
 * Replaces several groups of lines by one group, because on a page all lines of a session form one group. If one group
 * has conditions, each of its modes becomes at least as strict as the modes of the other groups. If several groups have
 * conditions, one line with the strictest mode replaces all lines. If this changes decisions, the later comparison
 * reports the change.
 */
function joinGroups(clauses: readonly Clause[]): readonly Clause[] {
  const [first] = clauses;
  const groups = [...Map.groupBy(clauses, (clause) => clause.group || clause).values()];
  if (first === undefined || groups.length < 2) return clauses;
  const conditional = groups.filter(hasConditions);
  const counting = conditional.length > 1 ? groups : groups.filter((group) => !hasConditions(group));
  const least = counting
    .flatMap((group) => group.flatMap(({ met, otherwise }) => [met, otherwise]))
    .reduce(pickStricter);
  const raised = (conditional.length > 1 ? [] : conditional.flat()).map((clause): Clause => {
    return { ...clause, met: pickStricter(clause.met, least), otherwise: pickStricter(clause.otherwise, least) };
  });
  const isAsked = raised.some(({ met, otherwise }) => met !== least || otherwise !== least);
  return isAsked ? raised : [{ ...first, conditions: [], met: least, otherwise: least, group: 0 }];
}

function hasConditions(clauses: readonly Clause[]): boolean {
  return clauses.some(({ conditions }) => conditions.length > 0);
}

function pickStricter(one: Clause["met"], other: Clause["met"]): Clause["met"] {
  return isStricter(other, one) ? other : one;
}

function renderTool({ provider, methodName }: Tool): string {
  return `${provider}.${methodName}`;
}

function renderClause({ conditions, met, otherwise }: Clause, tool: string): string {
  if (conditions.length === 0) return `${met} ${tool}`;
  return `${met} ${tool} where ${conditions.map(renderCondition).join(" and ")} else ${otherwise}`;
}

function renderFloor(floor: Floor, tool: string, { lattice }: IndexedTables): string {
  const { confidentialityAtLeast: level, integrityAtMost: trust, compartments, unattended, conditions, mode } = floor;
  const where = conditions.length === 0 ? "" : ` where ${conditions.map(renderCondition).join(" and ")}`;
  const met = [
    ...(level === 0 ? [] : [`confidentiality >= ${lattice.confidentiality[level] ?? ""}`]),
    ...(trust === ANY_INTEGRITY ? [] : [`integrity <= ${lattice.integrity[trust] ?? ""}`]),
    ...listCompartments(lattice, compartments).map((name) => `compartment ${name}`),
    ...(unattended ? ["unattended"] : []),
  ];
  return `when ${met.join(" and ")} { atLeast ${mode} ${tool}${where} }`;
}

const MILLIONTHS = 1_000_000n;

function renderQuota({ amount, unit, name, scope }: Quota): string {
  switch (unit) {
    case "bytes":
      return `${amount} B per ${scope}`;
    case "category":
      return `${amount} ${name} calls per ${scope}`;
    case "money":
      return `${amount / MILLIONTHS}.${`${amount % MILLIONTHS}`.padStart(6, "0")} ${name} per ${scope}`;
    default:
      return `${amount} ${unit} per ${scope}`;
  }
}
