import type { Subject } from "../index.ts";

/** Returns the subject with this text appended to each kind of text that a foreign page can set. */
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
    proofs: {
      ...clean.proofs,
      assertions: clean.proofs.assertions.map((one) => ({ ...one, assertion: more(one.assertion), story: [text] })),
    },
    changes: {
      before: text,
      told: [
        {
          direction: "widened",
          widens: true,
          where: [text],
          before: text,
          after: text,
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
