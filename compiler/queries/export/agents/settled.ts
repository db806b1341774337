// Exports one place of a page to an agent, which has a list of tools and three answers: allow, ask, deny. The agent
// tracks no label and checks no arguments. So each tool gets the strictest answer that the page could give after all
// calls that the export allows.

import { computeStrictestMode, isMet, isStricter, join, mayFlow } from "../../../../engine/lib/policy/index.ts";
import type { Label, Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { findAboveClearance } from "../bounds.ts";
import { computeHighestLabel, computeWorstMode, type ExportedCell, groupByPlace } from "../cells.ts";
import { createLoss, type Loss, type LossCode } from "../loss.ts";

export type AgentAnswer = "allow" | "ask" | "deny";

interface Settled {
  readonly answers: ReadonlyMap<Tool, AgentAnswer>;
  readonly losses: readonly Loss[];
}

/**
 * Returns the answer of the exported rules to calls of each tool (`allow`, `ask` or `deny`), and the losses of the
 * export. `isSayable` returns whether the agent's rules can name exactly the tool of a cell.
 */
export function settleAnswers(cells: readonly ExportedCell[], isSayable: (cell: ExportedCell) => boolean): Settled {
  const denied = new Map<ExportedCell, LossCode>();
  const above = new Set(findAboveClearance(cells));
  for (const cell of cells) {
    const code = findImmediateDenial(cell, { isAbove: above.has(cell), isSayable: isSayable(cell) });
    if (code !== undefined) denied.set(cell, code);
  }
  const first = cells.filter((cell) => !denied.has(cell) && mayRun(cell, cell.row.starts));
  // A conversation that has read less data never gets a stricter answer.
  const seen = first.reduce(
    (label, { tool }) => join(label, computeHighestLabel(tool)),
    first[0]?.row.starts ?? LOWEST,
  );
  for (const cell of first) if (!canFlow(cell, seen)) denied.set(cell, "flow-denied");
  const answers = cells.map((cell): [Tool, AgentAnswer] => [
    cell.tool,
    denied.has(cell) ? "deny" : answerTo(cell, seen),
  ]);
  return { answers: new Map(answers), losses: collectLosses(cells, denied, seen) };
}

const LOWEST: Label = { confidentiality: 0, integrity: 0, compartments: 0n };

/** Properties of a cell that determine whether an agent's rules can express its decision. */
interface CellFacts {
  readonly isAbove: boolean;
  readonly isSayable: boolean;
}

/**
 * Returns the loss if the page may allow calls of the tool but the export denies them for every label of the
 * conversation; otherwise `undefined`.
 */
function findImmediateDenial(cell: ExportedCell, { isAbove, isSayable }: CellFacts): LossCode | undefined {
  const mode = computeStrictestMode(cell.list, { label: cell.row.starts, unattended: false });
  if (cell.isNever || mode === "forbidden") return undefined;
  if (!isSayable) return "name-not-sayable";
  if (mode === "stepUp") return "step-up-denied";
  return isAbove ? "result-denied" : undefined;
}

function mayRun(cell: ExportedCell, label: Label): boolean {
  return answerTo(cell, label) !== "deny";
}

/**
 * Returns the answer of the exported rules to calls of a tool. Floors for conversations without a person always apply,
 * because an agent does not know whether a person is present.
 */
function answerTo({ list, isNever, isAskingNobody }: ExportedCell, label: Label): AgentAnswer {
  const mode = computeStrictestMode(list, { label, unattended: true });
  if (isNever || mode === "forbidden" || mode === "stepUp") return "deny";
  if (mode === "auto") return "allow";
  return isAskingNobody ? "deny" : "ask";
}

/**
 * Returns whether the label may flow to the sink without a release. Releases are not exported, because for a release a
 * person must see the whole call, or sign it.
 */
function canFlow({ sink }: ExportedCell, seen: Label): boolean {
  return sink === undefined || mayFlow(seen, sink);
}

const DENIALS: readonly (readonly [LossCode, string])[] = [
  ["name-not-sayable", "The rules cannot name this tool and no other: it is denied."],
  ["step-up-denied", "Nobody can be asked for a signature: the tool is denied."],
  [
    "result-denied",
    "The result may be above what the session is cleared for, and cannot be withheld: the tool is denied.",
  ],
  [
    "flow-denied",
    "What other tools let the conversation see may not flow to this one, and no label is kept: it is denied. With those suppressed on the page it stays.",
  ],
];

function collectLosses(
  cells: readonly ExportedCell[],
  denied: ReadonlyMap<ExportedCell, LossCode>,
  seen: Label,
): readonly Loss[] {
  const named = DENIALS.flatMap(([code, what]) => {
    const found = cells.filter((cell) => denied.get(cell) === code);
    return found.length === 0 ? [] : [createLoss(code, what, groupByPlace(found))];
  });
  return [...named, ...collectConditionLosses(cells, seen), ...collectFloorLosses(cells, seen)];
}

/**
 * Returns the losses of lines with conditions. Such a line gets its strictest mode. This is a loss if the page has a
 * looser mode for some arguments.
 */
function collectConditionLosses(cells: readonly ExportedCell[], seen: Label): readonly Loss[] {
  const rules = new Map<number, ExportedCell[]>();
  for (const cell of cells) {
    const worst = computeWorstMode(cell.list);
    const lines = cell.list.clauses.filter(
      ({ met, otherwise }) => isStricter(worst, met) || isStricter(worst, otherwise),
    );
    const floors = cell.list.floors.filter(
      (floor) => isMet(floor, { label: seen, unattended: true }) && isStricter(floor.mode, worst),
    );
    for (const { conditions, rule } of [...lines, ...floors])
      if (conditions.length > 0) rules.set(rule, [...(rules.get(rule) ?? []), cell]);
  }
  return [...rules].map(([rule, found]) =>
    createLoss(
      "condition-not-spelled",
      "Rules see no arguments: the line always takes its strictest mode.",
      groupByPlace(found),
      rule,
    ),
  );
}

function collectFloorLosses(cells: readonly ExportedCell[], seen: Label): readonly Loss[] {
  const rules = new Map<string, { code: LossCode; rule: number; cells: ExportedCell[] }>();
  for (const cell of cells)
    for (const floor of cell.list.floors) {
      if (!isMet(floor, { label: seen, unattended: true }) || !isStricter(floor.mode, computeWorstMode(cell.list)))
        continue;
      const code = floor.unattended ? "attendance-always" : "floor-always";
      const key = `${code} ${floor.rule}`;
      const known = rules.get(key) ?? { code, rule: floor.rule, cells: [] };
      known.cells.push(cell);
      rules.set(key, known);
    }
  return [...rules.values()].map(({ code, rule, cells: found }) =>
    createLoss(code, FLOOR_WORDS, groupByPlace(found), rule),
  );
}

const FLOOR_WORDS = "What the conversation has seen and who is there is not known: this holds from the beginning.";
