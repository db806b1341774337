// Random tools whose parameters are laid out as by the Cap'n Proto compiler, and random arguments for these tools.
import fc from "fast-check";
import type { Json } from "../../policy/index.ts";
import { tool } from "../../policy/testing/sample.ts";
import type { Layout, Param, Place, Tool, Type } from "../../wire/generated/policy.ts";
import type { ScalarKind } from "../../wire/layout.ts";

/** A parameter, and how it is stored. */
interface Stored {
  readonly type: Type;
  readonly which: Place["which"];
  readonly scalar?: ScalarKind;
  readonly standard: bigint;
  /** How the elements are stored, if the parameter is a list. */
  readonly element?: Stored;
  /** How the members are stored, if the parameter is a record or a group. */
  readonly members?: readonly StoredParam[];
}

export interface StoredParam extends Stored {
  readonly name: string;
  readonly required: boolean;
}

const WIDTHS: Readonly<Record<ScalarKind, number>> = {
  bool: 1,
  ...{ int8: 8, int16: 16, int32: 32, int64: 64, uint8: 8, uint16: 16, uint32: 32, uint64: 64 },
  ...{ float32: 32, float64: 64 },
};

/** Sections of a struct while fields are added: fields fill holes that padding left, the smallest hole first. */
class Sections {
  dataWords = 0;
  pointers = 0;
  /** Offset of the hole by the logarithm of its size in bits; 0 if there is no hole of that size. */
  readonly #holes: number[] = [];

  addData(width: number): number {
    const size = Math.log2(width);
    const hole = this.#takeHole(size);
    if (hole !== undefined) return hole;
    const offset = this.dataWords * (64 / width);
    this.dataWords += 1;
    let next = offset + 1;
    for (let larger = size; larger < 6; larger += 1) {
      this.#holes[larger] = next;
      next = (next + 1) / 2;
    }
    return offset;
  }

  #takeHole(size: number): number | undefined {
    if (size >= 6) return undefined;
    const hole = this.#holes[size] ?? 0;
    if (hole !== 0) {
      this.#holes[size] = 0;
      return hole;
    }
    const larger = this.#takeHole(size + 1);
    if (larger === undefined) return undefined;
    this.#holes[size] = larger * 2 + 1;
    return larger * 2;
  }
}

/** Returns the layout of a struct with these fields, in order of their numbers. */
export function layOut(params: readonly StoredParam[]): Layout {
  const sections = new Sections();
  const places = params.map((param) => placeIn(sections, param));
  return { dataWords: sections.dataWords, pointers: sections.pointers, places };
}

function placeIn(sections: Sections, stored: Stored): Place {
  const { standard } = stored;
  const place = placeAlone(stored, sections);
  if (place.which === "group") return place;
  const width = place.which === "scalar" ? WIDTHS[place.scalar] : 16;
  const isData = place.which === "scalar" || place.which === "choice";
  if (isData) return { ...place, standard, offset: sections.addData(width) };
  sections.pointers += 1;
  return { ...place, offset: sections.pointers - 1 };
}

function placeAlone({ which, scalar = "bool", element, members = [] }: Stored, sections: Sections): Place {
  const none = { offset: 0, standard: 0n };
  switch (which) {
    case "scalar":
      return { ...none, which, scalar };
    case "list":
      return element === undefined
        ? { ...none, which: "text" }
        : { ...none, which, list: placeAlone(element, sections) };
    case "record":
      return { ...none, which, record: layOut(members) };
    case "group":
      return {
        ...none,
        which,
        group: { dataWords: 0, pointers: 0, places: members.map((one) => placeIn(sections, one)) },
      };
    default:
      return { ...none, which };
  }
}

const NAMES = ["path", "amount", "to", "lines", "force", "format", "tags", "rows", "depth"] as const;
const CHOICES = ["plain", "rich", "none"];

function boundsOf(kind: ScalarKind): { low: bigint; high: bigint } {
  const width = BigInt(WIDTHS[kind]);
  return kind.startsWith("int")
    ? { low: -(2n ** (width - 1n)), high: 2n ** (width - 1n) - 1n }
    : { low: 0n, high: 2n ** width - 1n };
}

function typeOfScalar(kind: ScalarKind): Type {
  if (kind === "bool") return { which: "boolean" };
  return kind.startsWith("float") ? { which: "number" } : { which: "integer", integer: boundsOf(kind) };
}

const scalar = fc.constantFrom(...(Object.keys(WIDTHS) as ScalarKind[])).chain((kind) =>
  fc.bigInt(0n, 2n ** BigInt(WIDTHS[kind]) - 1n).map(
    (bits): Stored => ({
      type: typeOfScalar(kind),
      which: "scalar",
      scalar: kind,
      standard: kind.startsWith("float") ? 0n : bits,
    }),
  ),
);
const choice = fc
  .nat(CHOICES.length - 1)
  .map((at): Stored => ({ type: { which: "choice", choice: CHOICES }, which: "choice", standard: BigInt(at) }));
const text = fc.constant<Stored>({ type: { which: "text", text: { maxBytes: 200 } }, which: "text", standard: 0n });

function anyStored(depth: number): fc.Arbitrary<Stored> {
  if (depth === 0) return fc.oneof(scalar, choice, text);
  const record = (which: "record" | "group") =>
    anyParams(depth - 1).map(
      (members): Stored => ({ type: { which: "record", record: listParams(members) }, which, members, standard: 0n }),
    );
  const list = anyStored(depth - 1)
    .filter(({ which }) => which !== "group")
    .map(
      (element): Stored => ({
        type: { which: "list", list: element.type },
        which: "list",
        element: { ...element, standard: 0n },
        standard: 0n,
      }),
    );
  return fc.oneof({ weight: 3, arbitrary: scalar }, choice, text, list, record("record"), record("group"));
}

function anyParams(depth: number): fc.Arbitrary<readonly StoredParam[]> {
  return fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 6 }).chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.tuple(anyStored(depth), fc.boolean()).map(([stored, isRequired]) => ({
          ...stored,
          name,
          required: isRequired || !["scalar", "choice", "text"].includes(stored.which),
        })),
      ),
    ),
  );
}

function listParams(params: readonly StoredParam[]): readonly Param[] {
  return params.map(({ name, type, required }) => ({ name, type, required }));
}

/** Returns arguments that fit; optional ones may be missing, and never have their default value. */
function anyRecord(params: readonly StoredParam[]): fc.Arbitrary<Record<string, Json>> {
  const model = Object.fromEntries(
    params.map((param) => {
      const value = anyValue(param);
      if (param.required) return [param.name, value];
      const standard = renderDefault(param);
      return [param.name, value.map((one) => (one === standard ? ABSENT : one))];
    }),
  );
  const requiredKeys = params.flatMap(({ name, required }) => (required ? [name] : []));
  return fc
    .record(model, { requiredKeys, noNullPrototype: true })
    .map((record) =>
      Object.fromEntries(Object.entries(record).filter((entry): entry is [string, Json] => entry[1] !== ABSENT)),
    );
}

const ABSENT = Symbol("absent");

function renderDefault({ type, scalar: kind, standard }: Stored): Json {
  if (type.which === "boolean") return standard === 1n;
  if (type.which === "text") return "";
  if (type.which === "choice") return type.choice[Number(standard)] ?? "";
  if (type.which !== "integer" || kind === undefined) return 0;
  return renderInteger(kind.startsWith("int") ? BigInt.asIntN(WIDTHS[kind], standard) : standard);
}

function renderInteger(value: bigint): Json {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

function anyValue({ type, scalar: kind, element, members }: Stored): fc.Arbitrary<Json> {
  switch (type.which) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.bigInt(type.integer.low, type.integer.high).map(renderInteger);
    case "number": {
      // In these tests, JSON contains no whole numbers beyond 2^53.
      const bounds = { noNaN: true, noDefaultInfinity: true, min: -1_048_576, max: 1_048_576 };
      // Replace -0 by 0, because canonical JSON writes both as `0`.
      return (kind === "float32" ? fc.float(bounds) : fc.double(bounds)).map((value) => (value === 0 ? 0 : value));
    }
    case "choice":
      return fc.constantFrom(...type.choice);
    case "list":
      return element === undefined ? fc.constant([]) : fc.array(anyValue(element), { maxLength: 3 });
    case "record":
      return anyRecord(members ?? []);
    default:
      return fc.string({ unit: "binary", maxLength: 12 });
  }
}

/** A tool with a layout, which takes its arguments as a Cap'n Proto message, and valid arguments for it. */
interface LaidOut {
  readonly tool: Tool;
  readonly record: Record<string, Json>;
}

export const anyLaidOut: fc.Arbitrary<LaidOut> = anyParams(2).chain((stored) => {
  const made = tool("notes.write", { params: listParams(stored), layout: layOut(stored) });
  return anyRecord(stored).map((record) => ({ tool: made, record }));
});
