// Renders policy tables as text for people who review a change. `text.test.ts` checks that the text contains every value of the tables,
// except `pageProgram` and redundant fields.

import { isWithoutLayout, renderParameter, renderSource, renderTerm } from "../../engine/lib/policy/index.ts";
import type {
  Condition,
  Decision,
  Label,
  LabelRange,
  Layout,
  Literal,
  Param,
  Place,
  PolicyTables,
  Quota,
  Redaction,
  RedactionField,
  Release,
  Row,
  Tool,
  Type,
  TypeForm,
} from "../../engine/lib/wire/generated/policy.ts";

const NO_PARENT = 65_535;
const ANY_INTEGRITY = 255;

export function renderTables(tables: PolicyTables): string {
  const { lattice } = tables;
  return [
    `system ${tables.systemId} ${tables.version}, schema version ${tables.schemaVersion}`,
    `confidentiality ${lattice.confidentiality.join(" < ")}`,
    `integrity ${lattice.integrity.join(" < ")}`,
    `compartments ${list(lattice.compartments)}`,
    ...renderSection("categories", tables.categories, ({ name, parent }) => [
      parent === NO_PARENT ? name : `${name} : ${tables.categories[parent]?.name}`,
    ]),
    ...renderSection("tools", tables.tools, (tool) => renderTool(tables, tool)),
    ...(tables.pageTexts.length === 0
      ? []
      : renderSection("texts of the page", tables.pageTexts, (text) => [JSON.stringify(text)])),
    ...renderSection("rules", tables.rules, ({ id, words, place }) => [`${id} | ${words} | ${place}`]),
    ...renderSection("decisions", tables.decisions, renderDecision),
    ...renderSection(
      "backends",
      tables.backends,
      ({ name, kind, local, clearance, quotas, logRequired, embedder, ...sizes }) => [
        `${name}: ${kind}, ${local ? "local" : "not local"}, clearance ${renderLabel(tables, clearance)}${logRequired ? ", log required" : ""}${embedder === "" ? "" : `, embedder ${embedder}`}`,
        ...renderPrice(sizes),
        ...(sizes.contextTokens === 0 ? [] : [`  context ${sizes.contextTokens} tokens`]),
        ...quotas.map(renderQuota),
      ],
    ),
    ...renderSection("principals", tables.principals, ({ name, keys, passphrase }) => [
      name,
      ...keys.map((key) => `  ${key}`),
      ...(passphrase === "" ? [] : [`  passphrase ${passphrase}`]),
    ]),
    ...renderSection("releases", tables.releases, (release) => releaseLines(tables, release)),
    ...renderSection(
      "ingresses",
      tables.ingresses,
      ({ name, source, address, zone, missed, row, label: from, says }) => [
        `${name}: ${source} ${JSON.stringify(address)}${zone === "" ? "" : ` in ${zone}`}${missed === "" ? "" : ` missed ${missed}`} into row ${row}, label ${renderLabel(tables, from)}${says === "" ? "" : ` says ${JSON.stringify(says)}`}`,
      ],
    ),
    ...(tables.redactions.length === 0
      ? []
      : renderSection("redactions", tables.redactions, (redaction) => renderRedaction(tables, redaction))),
    ...renderAudit(tables),
    ...renderSection("rows", tables.rows, (row) => renderRow(tables, row)),
    "",
  ].join("\n");
}

type Price = Pick<PolicyTables["backends"][number], "currency" | "inputMicros" | "outputMicros">;

function renderPrice({ currency, inputMicros, outputMicros }: Price): readonly string[] {
  if (currency === "") return [];
  return [`  price ${inputMicros} + ${outputMicros} millionths of ${currency} for a million tokens`];
}

function renderSection<T>(
  title: string,
  items: readonly T[],
  lines: (item: T) => readonly string[],
): readonly string[] {
  const numbered = items.flatMap((item, index) => {
    const [first = "", ...rest] = lines(item);
    return [`  ${index} ${first}`, ...rest.map((line) => `    ${line}`)];
  });
  return ["", `${title} (${items.length})`, ...numbered];
}

function renderTool(tables: PolicyTables, tool: Tool): readonly string[] {
  const facts = [tool.readOnly ? "read-only" : "has effects", tool.networked ? "networked" : "not networked"];
  return [
    `${tool.name}: ${tables.categories[tool.category]?.name}, ${facts.join(", ")}`,
    `${JSON.stringify(tool.description)}`,
    `${tool.interfaceName}.${tool.methodName}@${tool.method} of interface 0x${tool.interfaceId.toString(16)}, by ${tool.provider}`,
    ...tool.params.map((param) => `argument ${renderParam(param)}`),
    `schema ${tool.paramSchema}`,
    `result ${renderRange(tables, tool.result)}, arguments flow to ${renderLabel(tables, tool.sink)}`,
    `redact ${list(tool.redact)}, truncate ${tool.truncateBytes}`,
    ...(tool.strong.length === 0 ? [] : [`strong ${list(tool.strong)}`]),
    ...(tool.servers.length === 0 && !tool.methodDenied ? [] : [renderReach(tool)]),
    ...(isWithoutLayout(tool) ? [] : [`message ${renderLayout(tool.layout)}`]),
  ];
}

function renderReach({ servers, methodDenied }: Tool): string {
  const places = servers.map(({ scheme, host, port, path }) => `${scheme}://${host}:${port}${path}`);
  return `sends to ${places.join(", ")}${methodDenied ? ", but never with this method" : ""}`;
}

function renderParam({ name, type, required }: Param): string {
  return `${name}: ${typeText(type)}${required ? "" : ", optional"}`;
}

/** Returns the sizes of a struct's two sections, and then each field: its type, its offset, and the bits of its default. */
function renderLayout({ dataWords, pointers, places }: Layout): string {
  return `${dataWords}+${pointers} (${places.map(renderPlace).join(", ")})`;
}

function renderPlace(place: Place): string {
  const standard = place.standard === 0n ? "" : `^${place.standard}`;
  return `${renderStored(place)}@${place.offset}${standard}`;
}

function renderStored(place: Place): string {
  switch (place.which) {
    case "scalar":
      return place.scalar;
    case "list":
      return `list of ${renderStored(place.list)}`;
    case "record":
      return `struct ${renderLayout(place.record)}`;
    case "group":
      return `group ${renderLayout(place.group)}`;
    default:
      return place.which;
  }
}

const JSON_WORDS: Readonly<Record<TypeForm, string>> = { any: "json", object: "json object", list: "json list" };

function typeText(type: Type): string {
  switch (type.which) {
    case "boolean":
    case "number":
      return type.which;
    case "integer":
      return `integer ${type.integer.low}..${type.integer.high}`;
    case "text":
      return `text of ${type.text.maxBytes} bytes`;
    case "choice":
      return `one of ${list(type.choice)}`;
    case "list":
      return `list of (${typeText(type.list)})`;
    case "record":
      return `{ ${type.record.map(renderParam).join("; ")} }`;
    case "json":
      return `${JSON_WORDS[type.json.form]} of ${type.json.maxBytes} bytes`;
    case "either":
      return `either ${type.either.map((one) => `(${typeText(one)})`).join(" or ")}`;
  }
}

function renderDecision({ clauses, floors }: Decision): readonly string[] {
  return [
    `${clauses.length} clauses, ${floors.length} floors`,
    ...clauses.map(({ conditions, met, otherwise, rule, group }) => {
      const by = `by rule ${rule}${group === 0 ? "" : `, in group ${group}`}`;
      return conditions.length === 0 && met === otherwise
        ? `${met} ${by}`
        : `${met} where ${conditions.map(renderCondition).join(" and ")} else ${otherwise}, ${by}`;
    }),
    ...floors.map(({ mode, rule, conditions, ...floor }) => {
      const where = conditions.length === 0 ? "" : ` where ${conditions.map(renderCondition).join(" and ")}`;
      return `at least ${mode} when ${renderFloor(floor)}${where}, by rule ${rule}`;
    }),
  ];
}

function renderCondition({ operator, literals, sources, absentHolds, ...term }: Condition): string {
  const absent = absentHolds ? " or absent" : "";
  return `${renderTerm(term)} ${operator} ${list(operator === "from" ? sources.map(renderSource) : literals.map(renderLiteral))}${absent}`;
}

function renderLiteral(literal: Literal): string {
  switch (literal.which) {
    case "text":
      return JSON.stringify(literal.text);
    case "boolean":
      return String(literal.boolean);
    case "decimal":
      return literal.decimal;
    case "parameter":
      return `task.${literal.parameter.name}`;
  }
}

function renderFloor(floor: Omit<Decision["floors"][number], "mode" | "rule" | "conditions">): string {
  const integrity = floor.integrityAtMost === ANY_INTEGRITY ? "any" : `<= ${floor.integrityAtMost}`;
  const compartments = `0x${floor.compartments.toString(16)}`;
  const unattended = floor.unattended ? ", unattended" : "";
  return `confidentiality >= ${floor.confidentialityAtLeast}, integrity ${integrity}, compartments ${compartments}${unattended}`;
}

function releaseLines(tables: PolicyTables, { act, tools, from, to, gate, rule }: Release): readonly string[] {
  const names = tools.map((tool) => tables.tools[tool]?.name ?? "");
  return [
    `${act} ${list(names)} from ${renderLabel(tables, from)} to ${renderLabel(tables, to)} by ${gate}, by rule ${rule}`,
  ];
}

function renderRedaction(
  tables: PolicyTables,
  { name, label, patterns, results, arguments: args }: Redaction,
): readonly string[] {
  const nameField = ({ tool, name: field }: RedactionField) => `${tool} ${field}`;
  return [
    `${name}: of ${renderLabel(tables, label)}, masked for backends of lower clearance`,
    ...patterns.map((pattern) => `pattern ${JSON.stringify(pattern)}`),
    ...results.map((field) => `result ${nameField(field)}`),
    ...args.map((field) => `argument ${nameField(field)}`),
  ];
}

function renderRow(tables: PolicyTables, row: Row): readonly string[] {
  const { callMs, turnMs, loginMs, idleMs } = row.timeouts;
  return [
    `session ${row.session}, task ${renderWord(row.task)}, phase ${renderWord(row.phase)}, worker ${renderWord(row.worker)}`,
    `phase number ${row.phaseIndex}, entered behind ${row.entry} by rule ${row.entryRule}`,
    `remembers consent for ${row.remember}, releases ${list(row.releases.map(String))}`,
    `kind ${row.kind}, principals ${list(row.principals.map((index) => tables.principals[index]?.name ?? ""))}`,
    ...(row.login === "none" ? [] : [`opened by login with a ${row.login}, by rule ${row.loginRule}`]),
    ...(row.parameters.length === 0 ? [] : [`parameters ${list(row.parameters.map(renderParameter))}`]),
    ...(row.requiresTask ? [`nothing runs outside of a task, by rule ${row.taskRule}`] : []),
    `starts ${renderLabel(tables, row.starts)}, clearance ${renderLabel(tables, row.clearance)}`,
    `backends ${list(row.backends.map(({ backend, mode }) => `${mode} ${tables.backends[backend]?.name}`))}`,
    ...row.quotas.map(renderQuota),
    `timeouts call ${callMs} ms, turn ${turnMs} ms, login ${loginMs} ms${idleMs === 0 ? "" : `, idle ${idleMs} ms`}`,
    ...row.cells.map((cell, index) => `${tables.tools[index]?.name}: ${renderCell(cell)}`),
  ];
}

function renderQuota({ amount, unit, name, scope, rule }: Quota): string {
  return `quota ${amount} ${unit}${name === "" ? "" : ` ${name}`} per ${scope}, by rule ${rule}`;
}

function renderCell(cell: number): string {
  if (cell === 0) return "suppressed";
  return cell === 1 ? "covered by no line" : `decision ${cell - 2}`;
}

function renderLabel({ lattice }: PolicyTables, { confidentiality, integrity, compartments }: Label): string {
  const sets = lattice.compartments.filter((_, bit) => (compartments >> BigInt(bit)) & 1n);
  return `${lattice.confidentiality[confidentiality]}:{${sets.join(", ")}}/${lattice.integrity[integrity]}`;
}

function renderRange(tables: PolicyTables, { low, high }: LabelRange): string {
  return `${renderLabel(tables, low)} .. ${renderLabel(tables, high)}`;
}

function renderWord(text: string): string {
  return text === "" ? "none" : text;
}

function list(items: readonly string[]): string {
  return items.length === 0 ? "none" : items.join(", ");
}

function renderAudit(tables: PolicyTables): readonly string[] {
  const { hasLimit, above, keep } = tables.audit;
  const lines = [
    ...(hasLimit ? [`  only digests above ${renderLabel(tables, above)}`] : []),
    ...(keep === "always" ? [] : [`  a full log keeps its records ${keep}`]),
  ];
  return lines.length === 0 ? [] : ["", "audit:", ...lines];
}
