import {
  type Conversation,
  checkFlow,
  formatLabel,
  type IndexedTables,
  type Label,
  mayFlow,
  renderWhyCommand,
} from "../../../engine/lib/policy/index.ts";

/** A result that the conversation of a test has read. */
export interface ReadData {
  readonly tool: string;
  readonly label: Label;
}

/** A call that was refused, and the results that its conversation has read. */
interface RefusedCall {
  readonly tool: string;
  readonly arguments: string;
  readonly reads: readonly ReadData[];
  /** Name of the page in the command of `capc why`. */
  readonly file: string;
}

/**
 * Returns which data may not flow to the tool, the label of its sink, and the command `capc why` that finds the least
 * change of the page. Returns `undefined` if the flow is not the reason of the refusal.
 */
export function explainFlow(tables: IndexedTables, now: Conversation, refused: RefusedCall): string | undefined {
  const index = tables.toolIndex.get(refused.tool) ?? -1;
  const tool = tables.tools[index];
  const row = tables.rows[now.row];
  if (tool === undefined || row === undefined || mayFlow(now.label, tool.sink)) return undefined;
  if (checkFlow(tables, row, now, index).ok) return undefined;
  const show = (label: Label) => formatLabel(tables.lattice, label);
  const found = refused.reads.filter(({ label }) => !mayFlow(label, tool.sink));
  const seen = [...new Set(found.map((read) => `${read.tool} returned ${show(read.label)}`))];
  const data = seen.length === 0 ? `the conversation began at ${show(now.label)}` : seen.join(", ");
  const command = renderWhyCommand(tables, refused.file, now, refused);
  const hint = command === undefined ? "" : `; for the least change run: ${command}`;
  return `${data}, and ${refused.tool} takes at most ${show(tool.sink)}${hint}`;
}
