// Exports a page as policies of Cedar, with their schema. The export contains all places of the page. A request names a
// place as its principal.

import type { IndexedTables } from "../../../../engine/lib/policy/index.ts";
import type { Row } from "../../../../engine/lib/wire/generated/policy.ts";
import { escapeInvisible } from "../../../../lang/diagnostics/index.ts";
import { collectAskerLosses } from "../asker.ts";
import { collectRowCells, type ExportedCell, groupByPlace, placeName } from "../cells.ts";
import { createLoss, type Loss, sortLosses } from "../loss.ts";
import type { ExportResult } from "../target.ts";
import { type CedarCell, convertToCedarCell } from "./cell.ts";
import { NEVER, quoteText } from "./expressions.ts";
import { renderCedarSchema } from "./schema.ts";

export function exportCedar(tables: IndexedTables): ExportResult {
  const policies = tables.rows.flatMap((row) => createPolicies(tables, row));
  const cells = policies.flatMap(({ cells: spelt }) => spelt);
  const head = HEAD.map((line) => `// ${line}\n`).join("");
  const title = escapeInvisible(`${tables.systemId} ${tables.version}`);
  return {
    files: [
      { name: "policies.cedar", text: `// ${title}\n${head}${policies.map(({ text }) => `\n${text}`).join("")}` },
      { name: "schema.cedarschema", text: renderCedarSchema(tables.tools) },
    ],
    losses: sortLosses([...collectConditionLosses(tables, cells), ...collectAskerLosses(tables)]),
  };
}

const HEAD = [
  'principal: where the conversation is, Place::"SESSION.TASK.PHASE"; action: the tool; resource: the service that has it.',
  "context.passed: the gate that this call has passed: 0 none, 1 consent of a person, 2 a signature of theirs (step-up).",
  "context.label: what the conversation has seen, joined with every result; context.unattended: nobody is there to be asked.",
  "context.arguments: the call's, once they are held against the tool's schema. What no policy permits never runs.",
];

interface Spelt {
  readonly cell: ExportedCell;
  readonly unspelled: CedarCell["unspelled"];
}

interface Policies {
  readonly text: string;
  readonly cells: readonly Spelt[];
}

interface Group {
  readonly provider: string;
  readonly whens: readonly string[];
  readonly rules: Set<number>;
  readonly tools: string[];
}

/** Returns the policies of a row. Tools of one service with equal conditions share one policy. */
function createPolicies(tables: IndexedTables, row: Row): Policies[] {
  const groups = new Map<string, Group>();
  const cells = collectRowCells(tables, row).map((cell) => {
    const { whens, unspelled: rules } = convertToCedarCell(tables, cell);
    if (!whens.includes(NEVER)) {
      const { provider, name } = cell.tool;
      const key = JSON.stringify([provider, ...whens]);
      const group = groups.get(key) ?? { provider, whens, rules: new Set(), tools: [] };
      for (const { rule } of [...cell.list.clauses, ...cell.list.floors]) group.rules.add(rule);
      group.tools.push(name);
      groups.set(key, group);
    }
    return { cell, unspelled: rules };
  });
  const place = placeName(row);
  const text = [...groups.values()].map((group, index) => renderPolicy(tables, place, index + 1, group)).join("\n");
  return text === "" && cells.length === 0 ? [] : [{ text, cells }];
}

function renderPolicy({ rules }: IndexedTables, place: string, number: number, group: Group): string {
  const said = [...group.rules].sort((left, right) => left - right).flatMap((rule) => rules[rule] ?? []);
  const comments = said.map(
    ({ words, place: at }) => `// ${escapeInvisible(words).replaceAll("\n", " ")} (${escapeInvisible(at)})\n`,
  );
  const [only = "", ...more] = group.tools.map((tool) => `Action::${quoteText(tool)}`);
  const action = more.length === 0 ? `action == ${only}` : `action in [${[only, ...more].join(", ")}]`;
  return `${comments.join("")}@id(${quoteText(`${place}/${number}`)})
permit (
  principal == Place::${quoteText(place)},
  ${action},
  resource == Service::${quoteText(group.provider)}
)${group.whens.map((when) => `\nwhen { ${when} }`).join("")};
`;
}

const SAID = {
  none: ["condition-not-spelled", "Cedar cannot evaluate this condition: its line always takes the strictest mode."],
  some: [
    "condition-in-part",
    "Cedar takes no text apart: paths and URLs that are not plain (`..`, `//`, another host) take the line's strictest mode.",
  ],
} as const;

function collectConditionLosses(tables: IndexedTables, cells: readonly Spelt[]): readonly Loss[] {
  return tables.rules.flatMap((_, rule) =>
    (["none", "some"] as const).flatMap((fit) => {
      const found = cells.filter(({ unspelled: lines }) => lines.some((one) => one.rule === rule && one.fit === fit));
      const [code, what] = SAID[fit];
      return found.length === 0 ? [] : [createLoss(code, what, groupByPlace(found.map(({ cell }) => cell)), rule)];
    }),
  );
}
