import { applyRelease, checkFlow, isMet, type Releasing } from "../../../engine/lib/policy/index.ts";
import type { Door } from "./doors.ts";
import type { LabelId } from "./labels.ts";
import { type Gates, NO_GATE, raiseGates } from "./modes.ts";
import type { Ground, Terrain } from "./terrain.ts";

/** How a conversation of some label gets through a door. */
export interface Passing {
  /** Gates that arguments can lead to; never none. */
  readonly gates: Gates;
  /** What lets the arguments out, where their label alone would not. */
  readonly release: Releasing | undefined;
  /** What the arguments count as where they go. */
  readonly sent: LabelId;
}

/** How far arguments that were neither found nor ruled out are believed in. */
export type Belief = "certain" | "possible";

/** Asks the gate's own questions, in its order, once for each door and label; nothing where no call gets through. */
export class Passings {
  readonly #terrain: Terrain;
  readonly #belief: Belief;
  /** By sign of the door, then by label. */
  readonly #known: (Passing | null)[][] = [];

  constructor(terrain: Terrain, belief: Belief) {
    this.#terrain = terrain;
    this.#belief = belief;
  }

  evaluateTransition(ground: Ground, door: Door, label: LabelId): Passing | null {
    this.#known[door.sign] ??= [];
    const known = this.#known[door.sign];
    const before = known?.[label];
    if (before !== undefined) return before;
    const asked = this.#ask(ground, door, label);
    if (known !== undefined) known[label] = asked;
    return asked;
  }

  #ask({ row, index }: Ground, { manner, tool, sends }: Door, id: LabelId): Passing | null {
    const { tables, labels } = this.#terrain;
    const label = labels.expandLabel(id);
    const seen = { label, unattended: false };
    const floors = manner.floors.filter((floor) => isMet(floor, seen));
    const asked = floors.reduce((gates, { mode }) => raiseGates(gates, mode), manner[this.#belief]);
    if (asked === NO_GATE) return null;
    // Reading on this machine sends nothing, whatever the label: half of all questions.
    if (!sends) return { gates: asked, release: undefined, sent: id };
    const flow = checkFlow(tables, row, { row: index, label, unattended: false, spent: [] }, tool);
    if (!flow.ok) return null;
    const release = flow.value;
    if (release === undefined) return { gates: asked, release, sent: id };
    const sent = labels.internLabel(applyRelease(release.release, label));
    return { gates: raiseGates(asked, release.release.gate), release, sent };
  }
}
