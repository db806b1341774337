// Asks the questions of capc init at a terminal. An empty line takes the default.

import type { World } from "../../host/world.ts";
import { isKind, KIND_FACTS, KINDS, type Kind } from "./kinds.ts";

/**
 * Asks for the kind until the answer is the name or the number of a kind, or is empty, which stands for the first kind.
 * Returns `undefined` if the input ends.
 */
export async function askKind(world: World): Promise<Kind | undefined> {
  const rows = KINDS.map((kind, index) => `  ${index + 1}  ${kind.padEnd(10)}  ${KIND_FACTS[kind].does}\n`);
  world.report(`Which kind of project?\n${rows.join("")}`);
  for (;;) {
    const line = await world.askLine(`kind [${KINDS[0]}]: `);
    if (line === undefined) return undefined;
    const word = line.trim();
    if (word === "") return KINDS[0];
    const kind = KINDS[Number(word) - 1] ?? word;
    if (isKind(kind)) return kind;
    world.report(`Type a number from 1 to ${KINDS.length}, or one of ${KINDS.join(", ")}.\n`);
  }
}

/**
 * Asks what the project is made from. If the answer is empty, returns the kind's default, or an empty text if the kind
 * has none. Returns `undefined` if the input ends.
 */
export async function askSource(kind: Kind, world: World): Promise<string | undefined> {
  const { asks = "", otherwise } = KIND_FACTS[kind];
  const line = await world.askLine(`${asks}${otherwise === undefined ? "" : ` [${otherwise}]`}: `);
  return line === undefined ? undefined : line.trim() || (otherwise ?? "");
}
