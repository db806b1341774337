// Generates quick code for one field of a struct: whether it is set, how it is written and how it is read.

import { bug } from "../../../lang/diagnostics/index.ts";
import type { SchemaField, SchemaNode } from "./request.ts";
import { capitalize, getNode, type Place, referTo, renderLayout, renderPureCall, useQuickWord } from "./type-text.ts";

export interface QuickPart {
  readonly name: string;
  /** Expression that reads the field's value. The code assigns the value to the constant `local`. */
  readonly from: string;
  readonly local: string;
  readonly section: "data" | "pointers";
  /** Minimum number of words or pointers of a section that contains the field. */
  readonly reach: number;
  /** Returns an expression that is true if a value differs from its default. */
  readonly isSet: (value: string) => string;
  readonly put: string;
  readonly get: string;
  /** Whether the writing code itself checks if the value must be written. */
  readonly isGuarded?: boolean;
  /** Declarations that must come before the field's code. */
  readonly before?: string;
}

/** A field, the expression of its struct, and the field's index in the struct. */
interface QuickField {
  readonly owner: string;
  readonly value: string;
  readonly field: SchemaField;
  readonly index: number;
}

/**
 * Returns the quick code of a field, which reads and writes the field without the slower general reader and writer.
 * `owner` is the name of the struct, or of the group in it. `value` is the code for this struct or group, such as
 * `value.group`.
 */
export function renderQuickPart(place: Place, { owner, value, field, index }: QuickField): QuickPart {
  if (field.kind !== "slot" || field.standard !== undefined)
    return bug(`${owner}.${field.name} has no code of its own`);
  const named = { name: field.name, from: `${value}.${field.name}`, local: `v${index}` };
  const where = `"${owner}.${field.name}"`;
  const { type, offset } = field;
  switch (type.kind) {
    case "bool":
      return { ...named, ...renderFlagPart(place, offset, named.local, where) };
    case "uint8":
    case "uint16":
    case "uint32":
    case "uint64":
      return { ...named, ...numberPart(place, type.kind, { offset, local: named.local, where }) };
    case "enum":
      return { ...named, ...renderEnumPart(place, getNode(place, type.id), { offset, local: named.local, where }) };
    case "text":
    case "data":
    case "list":
    case "struct":
      return { ...named, ...renderPointerPart(place, field, named.local, where) };
    default:
      return bug(`${owner}.${field.name} has no code of its own: ${type.kind}`);
  }
}

type Part = Omit<QuickPart, "name" | "from" | "local">;

function renderFlagPart(place: Place, offset: number, local: string, where: string): Part {
  const [reach, byte, bit] = [Math.floor(offset / 64) + 1, Math.floor(offset / 8), 1 << (offset % 8)];
  return {
    section: "data",
    reach,
    isSet: (value) => `${value} !== false`,
    put: `${useQuickWord(place, "putFlag")}(writer, data + ${byte}, ${bit}, ${local}, ${where})`,
    get: `dataWords >= ${reach} && (view.getUint8(data + ${byte}) & ${bit}) !== 0`,
  };
}

const BYTES = { uint8: 1, uint16: 2, uint32: 4, uint64: 8 } as const;

/** Position of a field in the data section, and the names that its code uses. */
interface PartPlace {
  readonly offset: number;
  readonly local: string;
  readonly where: string;
}

function numberPart(place: Place, kind: keyof typeof BYTES, { offset, local, where }: PartPlace): Part {
  const at = offset * BYTES[kind];
  const reach = Math.floor(at / 8) + 1;
  const zero = kind === "uint64" ? "0n" : "0";
  const got = kind === "uint64" ? "getBigUint64" : `get${capitalize(kind)}`;
  return {
    section: "data",
    reach,
    isSet: (value) => `${value} !== ${zero}`,
    put: `${useQuickWord(place, `put${capitalize(kind)}`)}(writer, data + ${at}, ${local}, ${where})`,
    get: `dataWords < ${reach} ? ${zero} : view.${got}(data + ${at}${kind === "uint8" ? "" : ", true"})`,
  };
}

function renderEnumPart(place: Place, node: SchemaNode, { offset, local, where }: PartPlace): Part {
  if (node.kind !== "enum") return bug(`${where} is no enum`);
  const [layout, zero, reach] = [referTo(place, node), JSON.stringify(node.members[0]?.name), (offset >> 2) + 1];
  return {
    section: "data",
    reach,
    isSet: (value) => `${value} !== ${zero}`,
    put: `${useQuickWord(place, "putMember")}(writer, data + ${offset * 2}, ${layout}, ${local}, ${where})`,
    get: `dataWords < ${reach} ? ${zero} : ${useQuickWord(place, "memberAt")}(reader, ${layout}, data + ${offset * 2})`,
  };
}

function renderPointerPart(place: Place, field: SchemaField & { kind: "slot" }, local: string, where: string): Part {
  const { type, offset } = field;
  const [to, from] = [`pointers + ${offset * 8}`, `pointerCount > ${offset}`];
  const part = { section: "pointers", reach: offset + 1 } as const;
  switch (type.kind) {
    case "text": {
      const isSet = (value: string) => `${value} !== ""`;
      const put = `${useQuickWord(place, "putText")}(writer, ${to}, ${local}, ${where})`;
      return { ...part, isSet, put, get: `${from} ? ${useQuickWord(place, "textAt")}(reader, ${to}, depth + 1) : ""` };
    }
    case "data": {
      const isSet = (value: string) => `${value}?.length !== 0`;
      const put = `${useQuickWord(place, "putData")}(writer, ${to}, ${local}, ${where})`;
      const get = `${from} ? ${useQuickWord(place, "dataAt")}(reader, ${to}, depth + 1) : ${useQuickWord(place, "NO_BYTES")}`;
      return { ...part, isSet, put, get };
    }
    case "list": {
      const list = `list${where.replace(/\W/g, "")}`;
      const before = `const ${list}: QuickList = ${renderPureCall(useQuickWord(place, "listOf"))}(${where}, ${renderLayout(place, type.element)});\n`;
      useQuickWord(place, "type QuickList");
      const isSet = (value: string) => `${value}?.length !== 0`;
      const put = `${list}.put(writer, ${to}, ${local}, depth + 1)`;
      const get = `${from} ? ${list}.get(reader, ${to}, depth + 1) : ${useQuickWord(place, "NO_ELEMENTS")}`;
      return { ...part, isSet, put, get, before };
    }
    case "struct": {
      const layout = referTo(place, getNode(place, type.id));
      const isSet = (value: string) => `!${useQuickWord(place, "isBlankStruct")}(${layout}, ${value}, depth + 1)`;
      const put = `${useQuickWord(place, "putStructOf")}(writer, ${to}, ${layout}, ${local}, depth + 1)`;
      const [got, empty] = [useQuickWord(place, "structOf"), useQuickWord(place, "emptyStruct")];
      const get = `(${from} ? ${got}(reader, ${to}, ${layout}, depth + 1) : ${empty}(${layout})) as ${layout}`;
      return { ...part, isSet, put, get, isGuarded: true };
    }
    default:
      return bug(`${where} is no pointer`);
  }
}
