import type { Label } from "../../../engine/lib/policy/index.ts";
import type { LabelRange } from "../../../engine/lib/wire/generated/policy.ts";
import { expandCompartments, type Groups } from "./compartments.ts";

/** The number of a label. Equal labels have equal numbers; numbers are assigned in the order of first use. */
export type LabelId = number;

/** All labels that occur, each once, and a cache of their joins. */
export class Labels {
  readonly #groups: Groups;
  readonly #ids = new Map<number, Map<bigint, LabelId>>();
  readonly #labels: Label[] = [];
  readonly #joins: Map<LabelId, LabelId>[] = [];
  readonly #full: (Label | undefined)[] = [];

  constructor(groups: Groups) {
    this.#groups = groups;
  }

  get size(): number {
    return this.#labels.length;
  }

  internLabel(label: Label): LabelId {
    return this.#internFields(label.confidentiality, label.integrity, label.compartments & this.#groups.kept);
  }

  /** Returns a label in which the first compartment of a group stands for all compartments of the group. */
  getLabel(id: LabelId): Label {
    return this.#labels[id] ?? { confidentiality: 0, integrity: 0, compartments: 0n };
  }

  /** Returns a label in the form of the tables: with all compartments of each group. */
  expandLabel(id: LabelId): Label {
    const known = this.#full[id];
    if (known !== undefined) return known;
    const label = this.getLabel(id);
    const made = { ...label, compartments: expandCompartments(this.#groups, label.compartments) };
    this.#full[id] = made;
    return made;
  }

  join(a: LabelId, b: LabelId): LabelId {
    if (a === b) return a;
    const known = this.#joins[a]?.get(b);
    if (known !== undefined) return known;
    const [left, right] = [this.getLabel(a), this.getLabel(b)];
    const joined = this.#internFields(
      Math.max(left.confidentiality, right.confidentiality),
      Math.min(left.integrity, right.integrity),
      left.compartments | right.compartments,
    );
    this.#joins[a]?.set(b, joined);
    return joined;
  }

  mayFlow(from: LabelId, to: LabelId): boolean {
    if (from === to) return true;
    const [left, right] = [this.getLabel(from), this.getLabel(to)];
    return (
      left.confidentiality <= right.confidentiality &&
      left.integrity >= right.integrity &&
      (left.compartments & ~right.compartments) === 0n
    );
  }

  /**
   * Calls `visit` once for each label that results from joining `from` with a label of the range, until `visit` returns false.
   * If the range is empty, `visit` is not called.
   */
  joinRange(from: LabelId, { low, high }: LabelRange, visit: (joined: LabelId) => boolean): void {
    const { kept } = this.#groups;
    if (low.confidentiality > high.confidentiality || low.integrity < high.integrity) return;
    if ((low.compartments & ~high.compartments) !== 0n) return;
    const { confidentiality, integrity, compartments } = this.getLabel(from);
    const base = compartments | (low.compartments & kept);
    const free = high.compartments & kept & ~base;
    const lowest = Math.max(confidentiality, low.confidentiality);
    const highest = Math.max(confidentiality, high.confidentiality);
    const most = Math.min(integrity, low.integrity);
    const least = Math.min(integrity, high.integrity);
    // Enumerate all subsets of `free`, the empty one first: the next subset is (subset - free) & free.
    let subset = 0n;
    do {
      for (let level = lowest; level <= highest; level++) {
        for (let trust = most; trust >= least; trust--) {
          if (!visit(this.#internFields(level, trust, base | subset))) return;
        }
      }
      subset = (subset - free) & free;
    } while (subset !== 0n);
  }

  #internFields(confidentiality: number, integrity: number, compartments: bigint): LabelId {
    const level = confidentiality * 256 + integrity;
    const sets = this.#ids.get(level) ?? new Map<bigint, LabelId>();
    if (sets.size === 0) this.#ids.set(level, sets);
    const known = sets.get(compartments);
    if (known !== undefined) return known;
    const id = this.#labels.length;
    sets.set(compartments, id);
    this.#labels.push({ confidentiality, integrity, compartments });
    this.#joins.push(new Map());
    return id;
  }
}

/** Returns the least label within a range whose join with `from` is `to`. */
export function computeStatedLabel(from: Label, range: LabelRange, to: Label): Label {
  const { low } = range;
  return {
    confidentiality: to.confidentiality > from.confidentiality ? to.confidentiality : low.confidentiality,
    integrity: to.integrity < from.integrity ? to.integrity : low.integrity,
    compartments: low.compartments | (to.compartments & ~from.compartments),
  };
}
