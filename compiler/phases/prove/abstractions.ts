import { serializeCondition } from "../../../engine/lib/policy/index.ts";
import type { Decision, Floor, PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { findArguments } from "./arguments.ts";
import { encodeGate, GATES, type Gates, NO_GATE, raiseGates } from "./modes.ts";
import { createNumbering, createPairNumbering } from "./numbering.ts";

/**
 * A decision list reduced to the modes that it can give. Lists that differ only in the names of their lines have the
 * same abstraction. The members `certain` and `possible` of an abstraction are the gates that the clauses give without
 * floors.
 */
export interface DecisionAbstraction extends GateSets {
  /** Floors without conditions on arguments: they apply to all arguments. */
  readonly floors: readonly Floor[];
  /** Floors that apply only to arguments that meet their conditions. */
  readonly conditional: readonly Floor[];
  /** Returns the gates of a call to which these floors with conditions apply. */
  readonly raise: (met: readonly Floor[]) => GateSets;
}

/** The abstraction of a cell in which no call ever runs. */
export const NEVER_RUNS = 0;

/** The abstractions of all cells. For each pair of a parameter list and a decision list, the abstraction is computed only once. */
export class DecisionAbstractions {
  readonly #tables: PolicyTables;
  /** Number of the parameter list of each tool; tools with the same parameters have the same number. */
  readonly params: readonly number[];
  readonly #known: number[][] = [];
  readonly #numberAbstraction = createNumbering<string>();
  readonly #abstractions: DecisionAbstraction[] = [];
  readonly #callable: (GateSets | undefined)[] = [];
  /** Gates by the number of the parameter list and the serialized decision list. */
  readonly #gates = new Map<string, GateSets>();

  constructor(tables: PolicyTables) {
    this.#tables = tables;
    const [faces, schemas, forms] = [createNumbering<bigint>(), createNumbering<string>(), createPairNumbering()];
    this.params = tables.tools.map(({ interfaceId, method, paramSchema }) =>
      forms(forms(faces(interfaceId), method), schemas(paramSchema)),
    );
    this.#number({ certain: NO_GATE, possible: NO_GATE, floors: [], conditional: [], raise: () => NO_GATES }, "");
  }

  get size(): number {
    return this.#abstractions.length;
  }

  getAbstraction(abstraction: number): DecisionAbstraction | undefined {
    return this.#abstractions[abstraction];
  }

  /** Returns the number of the abstraction of a cell. `list` is the index of its decision list in the tables. */
  getAbstractionId(tool: number, list: number): number {
    const params = this.params[tool] ?? 0;
    this.#known[params] ??= [];
    const known = this.#known[params][list];
    if (known !== undefined) return known;
    const decision = this.#tables.decisions[list];
    const made =
      decision === undefined
        ? NEVER_RUNS
        : this.#number(this.#deriveAbstraction(tool, params, decision), `${params} ${list}`);
    this.#known[params][list] = made;
    return made;
  }

  #deriveAbstraction(tool: number, params: number, list: Decision): DecisionAbstraction {
    // Proofs assume that a person is present, because the gates of a session are never weaker while it is unattended.
    const attended = list.floors.filter(({ unattended }) => !unattended);
    const floors = attended.filter(({ conditions }) => conditions.length === 0);
    const conditional = attended.filter(({ conditions }) => conditions.length > 0);
    const raise = this.#createRaising(tool, list);
    if ([...list.clauses, ...conditional].some(({ conditions }) => conditions.length > 0))
      return { ...raise([]), floors, conditional, raise };
    this.#callable[params] ??= this.#find(tool, ALWAYS);
    const { certain, possible } = this.#callable[params];
    const raiseByClauses = (gates: Gates) => list.clauses.reduce((all, { met }) => raiseGates(all, met), gates);
    return { certain: raiseByClauses(certain), possible: raiseByClauses(possible), floors, conditional, raise };
  }

  /**
   * Returns a function that computes the gates of a call to which some floors with conditions apply. The returned
   * function evaluates each set of floors only once.
   */
  #createRaising(tool: number, { clauses }: Decision): DecisionAbstraction["raise"] {
    const known = new Map<string, GateSets>();
    const numberFloor = createNumbering<Floor>();
    return (met) => {
      const key = met.map(numberFloor).join();
      const gates = known.get(key) ?? this.#findOnce(tool, { clauses, floors: met });
      known.set(key, gates);
      return gates;
    };
  }

  /**
   * Returns the gates of a list. Lists that differ only in their rules and in the labels of their floors share one
   * search.
   */
  #findOnce(tool: number, list: Decision): GateSets {
    const key = `${this.params[tool] ?? 0} ${serializeList(list)}`;
    const known = this.#gates.get(key) ?? this.#find(tool, list);
    this.#gates.set(key, known);
    return known;
  }

  #find(tool: number, list: Decision): GateSets {
    const about = this.#tables.tools[tool];
    const found = about && findArguments(about, list);
    const collectGates = (...wanted: readonly string[]) =>
      GATES.reduce((all, gate) => (wanted.includes(found?.[gate].kind ?? "") ? all | encodeGate(gate) : all), NO_GATE);
    return { certain: collectGates("some"), possible: collectGates("some", "unknown") };
  }

  /**
   * Returns the number of an abstraction. `owner` identifies the tool's parameters and the decision list. If
   * abstractions have conditional floors, those of different owners have different numbers.
   */
  #number(abstraction: DecisionAbstraction, owner: string): number {
    const { certain, possible, floors, conditional } = abstraction;
    const conditions = floors.map(({ confidentialityAtLeast, integrityAtMost, compartments, mode }) =>
      [confidentialityAtLeast, integrityAtMost, compartments, mode].join("/"),
    );
    const asked = conditional.length === 0 ? "" : ` of ${owner}`;
    const number = this.#numberAbstraction(possible === NO_GATE ? "" : `${certain} ${possible} ${conditions}${asked}`);
    this.#abstractions[number] ??= abstraction;
    return number;
  }
}

/**
 * Returns a text of the list. Lists with the same text give the same modes for the same arguments, in conversations in
 * which all their floors apply.
 */
function serializeList({ clauses, floors }: Decision): string {
  const lines = clauses.map(({ conditions, met, otherwise, group }) => {
    return `${met} ${otherwise} ${group} ${conditions.map(serializeCondition)}`;
  });
  return [...lines, ...floors.map(({ conditions, mode }) => `${mode} ${conditions.map(serializeCondition)}`)].join(
    "\n",
  );
}

interface GateSets {
  /** Gates for which the search found arguments. */
  readonly certain: Gates;
  /** Gates for which the search found arguments or could not exclude them. */
  readonly possible: Gates;
}

const NO_GATES: GateSets = { certain: NO_GATE, possible: NO_GATE };

const ALWAYS: Decision = {
  clauses: [{ conditions: [], met: "auto", otherwise: "auto", rule: 0, group: 0 }],
  floors: [],
};
