import type { Decision, Floor, PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { findArguments } from "./arguments.ts";
import { encodeGate, GATES, type Gates, NO_GATE, raiseGates } from "./modes.ts";
import { createNumbering, createPairNumbering } from "./numbering.ts";

/** What the lines of a cell can come to, whoever wrote them: equal for lists that differ in the names of their lines alone. */
export interface Manner {
  /** Gates that the clauses give for arguments that were found. */
  readonly certain: Gates;
  /** The same, and those that could not be ruled out. */
  readonly possible: Gates;
  readonly floors: readonly Floor[];
}

/** The manner of what never runs. */
export const SHUT = 0;

/** Looks for arguments once for each form of them and each list of decisions. */
export class Manners {
  readonly #tables: PolicyTables;
  /** By tool: equal for tools that take the same arguments. */
  readonly params: readonly number[];
  readonly #known: number[][] = [];
  readonly #numbered = createNumbering<string>();
  readonly #manners: Manner[] = [];
  readonly #callable: (Found | undefined)[] = [];

  constructor(tables: PolicyTables) {
    this.#tables = tables;
    const [faces, schemas, forms] = [createNumbering<bigint>(), createNumbering<string>(), createPairNumbering()];
    this.params = tables.tools.map(({ interfaceId, method, paramSchema }) =>
      forms(forms(faces(interfaceId), method), schemas(paramSchema)),
    );
    this.#number({ certain: NO_GATE, possible: NO_GATE, floors: [] });
  }

  get size(): number {
    return this.#manners.length;
  }

  getManner(manner: number): Manner | undefined {
    return this.#manners[manner];
  }

  /** `list`: index into the tables' decisions. */
  getMannerId(tool: number, list: number): number {
    const params = this.params[tool] ?? 0;
    this.#known[params] ??= [];
    const known = this.#known[params][list];
    if (known !== undefined) return known;
    const decision = this.#tables.decisions[list];
    const made = decision === undefined ? SHUT : this.#number(this.#deriveManner(tool, params, decision));
    this.#known[params][list] = made;
    return made;
  }

  #deriveManner(tool: number, params: number, list: Decision): Manner {
    // Somebody is always there: nobody is asked less for being away.
    const floors = list.floors.filter(({ unattended }) => !unattended);
    if (list.clauses.some(({ conditions }) => conditions.length > 0)) return { ...this.#find(tool, list), floors };
    this.#callable[params] ??= this.#find(tool, ALWAYS);
    const { certain, possible } = this.#callable[params];
    const raiseByClauses = (gates: Gates) => list.clauses.reduce((all, { met }) => raiseGates(all, met), gates);
    return { certain: raiseByClauses(certain), possible: raiseByClauses(possible), floors };
  }

  #find(tool: number, list: Decision): Found {
    const about = this.#tables.tools[tool];
    const found = about && findArguments(about, list);
    const collectGates = (...wanted: readonly string[]) =>
      GATES.reduce((all, gate) => (wanted.includes(found?.[gate].kind ?? "") ? all | encodeGate(gate) : all), NO_GATE);
    return { certain: collectGates("some"), possible: collectGates("some", "unknown") };
  }

  #number(manner: Manner): number {
    const { certain, possible, floors } = manner;
    const conditions = floors.map(({ confidentialityAtLeast, integrityAtMost, compartments, mode }) =>
      [confidentialityAtLeast, integrityAtMost, compartments, mode].join("/"),
    );
    const number = this.#numbered(possible === NO_GATE ? "" : `${certain} ${possible} ${conditions}`);
    this.#manners[number] ??= manner;
    return number;
  }
}

interface Found {
  readonly certain: Gates;
  readonly possible: Gates;
}

const ALWAYS: Decision = {
  clauses: [{ conditions: [], met: "auto", otherwise: "auto", rule: 0 }],
  floors: [],
};
