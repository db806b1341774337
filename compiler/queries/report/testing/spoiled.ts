import type { AuditFacts, Subject } from "../index.ts";

/** Returns the subject with `text` appended to each kind of text that an untrusted page can set. */
export function spoiled(clean: Subject, text: string): Subject {
  const more = (words: string): string => `${words}${text}`;
  const { tables } = clean;
  const tools = tables.tools.map((tool) => ({
    ...tool,
    name: more(tool.name),
    description: more(tool.description),
    interfaceName: more(tool.interfaceName),
    methodName: more(tool.methodName),
    provider: more(tool.provider),
    params: tool.params.map((param) => ({ ...param, name: more(param.name) })),
    redact: tool.redact.map(more),
  }));
  const spoiledTables = {
    ...tables,
    systemId: more(tables.systemId),
    version: more(tables.version),
    lattice: {
      confidentiality: tables.lattice.confidentiality.map(more),
      integrity: tables.lattice.integrity.map(more),
      compartments: tables.lattice.compartments.map(more),
    },
    categories: tables.categories.map((category) => ({ ...category, name: more(category.name) })),
    rules: tables.rules.map((rule) => ({ ...rule, words: more(rule.words) })),
    rows: tables.rows.map((row) => ({ ...row, session: more(row.session), task: row.task && more(row.task) })),
    backends: tables.backends.map((backend) => ({ ...backend, name: more(backend.name) })),
    principals: tables.principals.map((principal) => ({ ...principal, name: more(principal.name) })),
    redactions: tables.redactions.map((one) => ({ ...one, name: more(one.name), patterns: one.patterns.map(more) })),
    tools,
    toolIndex: new Map(tools.map(({ name }, index) => [name, index])),
  };
  return {
    ...clean,
    file: more(clean.file),
    tables: spoiledTables,
    processes: clean.processes.map((one) => ({ ...one, name: more(one.name), handed: one.handed.map(more) })),
    audit: clean.audit && spoilAudit(clean.audit, text),
    proofs: {
      ...clean.proofs,
      assertions: clean.proofs.assertions.map((one) => ({ ...one, assertion: more(one.assertion), story: [text] })),
    },
    changes: {
      before: text,
      counts: text,
      told: [
        {
          kind: "widened",
          widens: true,
          where: [text],
          before: text,
          after: text,
          details: [text],
          shownBy: [text],
          lines: [{ words: text, place: text }],
          because: [text],
        },
      ],
      cells: [],
      notCompared: [text],
      unseen: text,
    },
  };
}

/** Returns the audit with `text` appended to each kind of text that a model, a service or a changed log can set. */
function spoilAudit(clean: AuditFacts, text: string): AuditFacts {
  const more = (words: string): string => `${words}${text}`;
  const { activity } = clean;
  return {
    ...clean,
    log: more(clean.log),
    verification: more(clean.verification),
    activity: {
      ...activity,
      sessions: activity.sessions.map((one) => ({ ...one, principals: one.principals.map(more), tasks: [text] })),
      tools: activity.tools.map((one) => ({ ...one, tool: more(one.tool), category: more(one.category) })),
      refusals: activity.refusals.map((one) => ({ ...one, reason: more(one.reason), tools: one.tools.map(more) })),
      approvers: activity.approvers.map((one) => ({ ...one, principal: more("a"), surface: more("s") })),
      approvals: activity.approvals.map((one) => ({ ...one, what: more(one.what), principal: text, surface: text })),
      quotas: [{ session: text, quota: text, refused: 1 }],
      left: [{ tool: text, origins: [text], calls: 1, unsure: 1, attempts: 2, argumentBytes: 1, withheld: 1 }],
      releases: activity.releases.map((one) => ({
        ...one,
        ...{ rule: more(one.rule), act: text, tool: text, from: text, to: text, principals: [text] },
      })),
      models: activity.models.map((one) => ({ ...one, backend: more(one.backend), model: text, origins: [text] })),
      boots: activity.boots.map((one) => ({ ...one, system: more(one.system), version: more(one.version) })),
    },
  };
}
