import type { Decision, Floor, PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { findArguments } from "./arguments.ts";
import { encodeGate, GATES, type Gates, NO_GATE, raiseGates } from "./modes.ts";
import { createNumbering, createPairNumbering } from "./numbering.ts";

/** A decision list reduced to its possible outcomes: equal for lists that differ only in the names of their lines. */
export interface DecisionAbstraction {
  /** Gates that the clauses give for arguments that were found. */
  readonly certain: Gates;
  /** The same, and those that could not be ruled out. */
  readonly possible: Gates;
  readonly floors: readonly Floor[];
}

/** The abstraction of a cell that never runs. */
export const NEVER_RUNS = 0;

/** All abstractions, each computed once for a form of arguments and a decision list. */
export class DecisionAbstractions {
  readonly #tables: PolicyTables;
  /** By tool: equal for tools that take the same arguments. */
  readonly params: readonly number[];
  readonly #known: number[][] = [];
  readonly #numberAbstraction = createNumbering<string>();
  readonly #abstractions: DecisionAbstraction[] = [];
  readonly #callable: (GateSets | undefined)[] = [];

  constructor(tables: PolicyTables) {
    this.#tables = tables;
    const [faces, schemas, forms] = [createNumbering<bigint>(), createNumbering<string>(), createPairNumbering()];
    this.params = tables.tools.map(({ interfaceId, method, paramSchema }) =>
      forms(forms(faces(interfaceId), method), schemas(paramSchema)),
    );
    this.#number({ certain: NO_GATE, possible: NO_GATE, floors: [] });
  }

  get size(): number {
    return this.#abstractions.length;
  }

  getAbstraction(abstraction: number): DecisionAbstraction | undefined {
    return this.#abstractions[abstraction];
  }

  /** `list`: index into the tables' decisions. */
  getAbstractionId(tool: number, list: number): number {
    const params = this.params[tool] ?? 0;
    this.#known[params] ??= [];
    const known = this.#known[params][list];
    if (known !== undefined) return known;
    const decision = this.#tables.decisions[list];
    const made = decision === undefined ? NEVER_RUNS : this.#number(this.#deriveAbstraction(tool, params, decision));
    this.#known[params][list] = made;
    return made;
  }

  #deriveAbstraction(tool: number, params: number, list: Decision): DecisionAbstraction {
    // Proofs assume an attended session: an unattended one is never asked less.
    const floors = list.floors.filter(({ unattended }) => !unattended);
    if (list.clauses.some(({ conditions }) => conditions.length > 0)) return { ...this.#find(tool, list), floors };
    this.#callable[params] ??= this.#find(tool, ALWAYS);
    const { certain, possible } = this.#callable[params];
    const raiseByClauses = (gates: Gates) => list.clauses.reduce((all, { met }) => raiseGates(all, met), gates);
    return { certain: raiseByClauses(certain), possible: raiseByClauses(possible), floors };
  }

  #find(tool: number, list: Decision): GateSets {
    const about = this.#tables.tools[tool];
    const found = about && findArguments(about, list);
    const collectGates = (...wanted: readonly string[]) =>
      GATES.reduce((all, gate) => (wanted.includes(found?.[gate].kind ?? "") ? all | encodeGate(gate) : all), NO_GATE);
    return { certain: collectGates("some"), possible: collectGates("some", "unknown") };
  }

  #number(abstraction: DecisionAbstraction): number {
    const { certain, possible, floors } = abstraction;
    const conditions = floors.map(({ confidentialityAtLeast, integrityAtMost, compartments, mode }) =>
      [confidentialityAtLeast, integrityAtMost, compartments, mode].join("/"),
    );
    const number = this.#numberAbstraction(possible === NO_GATE ? "" : `${certain} ${possible} ${conditions}`);
    this.#abstractions[number] ??= abstraction;
    return number;
  }
}

interface GateSets {
  readonly certain: Gates;
  readonly possible: Gates;
}

const ALWAYS: Decision = {
  clauses: [{ conditions: [], met: "auto", otherwise: "auto", rule: 0, group: 0 }],
  floors: [],
};
