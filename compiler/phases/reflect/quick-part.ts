// One field of a struct that has code of its own: when it holds something, how it is put and how it is got.

import { bug } from "./bug.ts";
import type { SchemaField, SchemaNode } from "./request.ts";
import { capital, layoutText, nodeNamed, type Place, quickWord, reference } from "./type-text.ts";

export interface QuickPart {
  readonly name: string;
  /** The expression of its value, and the constant that holds it. */
  readonly from: string;
  readonly local: string;
  readonly section: "data" | "pointers";
  /** Words or pointers that there have to be for it. */
  readonly reach: number;
  /** Whether an expression of its value is more than its default. */
  readonly isSet: (value: string) => string;
  readonly put: string;
  readonly get: string;
  /** It is put by what asks itself whether there is anything. */
  readonly isGuarded?: boolean;
  /** What is declared once for it. */
  readonly before?: string;
}

/** `owner`: the struct, or the group in it. `value`: the expression that holds the field. */
export function quickPart(place: Place, owner: string, value: string, field: SchemaField, index: number): QuickPart {
  if (field.kind !== "slot" || field.standard !== undefined)
    return bug(`${owner}.${field.name} has no code of its own`);
  const named = { name: field.name, from: `${value}.${field.name}`, local: `v${index}` };
  const where = `"${owner}.${field.name}"`;
  const { type, offset } = field;
  switch (type.kind) {
    case "bool":
      return { ...named, ...flagPart(place, offset, named.local, where) };
    case "uint8":
    case "uint16":
    case "uint32":
    case "uint64":
      return { ...named, ...numberPart(place, type.kind, offset, named.local, where) };
    case "enum":
      return { ...named, ...enumPart(place, nodeNamed(place, type.id), offset, named.local, where) };
    case "text":
    case "data":
    case "list":
    case "struct":
      return { ...named, ...pointerPart(place, field, named.local, where) };
    default:
      return bug(`${owner}.${field.name} has no code of its own: ${type.kind}`);
  }
}

type Part = Omit<QuickPart, "name" | "from" | "local">;

function flagPart(place: Place, offset: number, local: string, where: string): Part {
  const [reach, byte, bit] = [Math.floor(offset / 64) + 1, Math.floor(offset / 8), 1 << (offset % 8)];
  return {
    section: "data",
    reach,
    isSet: (value) => `${value} !== false`,
    put: `${quickWord(place, "putFlag")}(writer, data + ${byte}, ${bit}, ${local}, ${where})`,
    get: `dataWords >= ${reach} && (view.getUint8(data + ${byte}) & ${bit}) !== 0`,
  };
}

const BYTES = { uint8: 1, uint16: 2, uint32: 4, uint64: 8 } as const;

function numberPart(place: Place, kind: keyof typeof BYTES, offset: number, local: string, where: string): Part {
  const at = offset * BYTES[kind];
  const reach = Math.floor(at / 8) + 1;
  const zero = kind === "uint64" ? "0n" : "0";
  const got = kind === "uint64" ? "getBigUint64" : `get${capital(kind)}`;
  return {
    section: "data",
    reach,
    isSet: (value) => `${value} !== ${zero}`,
    put: `${quickWord(place, `put${capital(kind)}`)}(writer, data + ${at}, ${local}, ${where})`,
    get: `dataWords < ${reach} ? ${zero} : view.${got}(data + ${at}${kind === "uint8" ? "" : ", true"})`,
  };
}

function enumPart(place: Place, node: SchemaNode, offset: number, local: string, where: string): Part {
  if (node.kind !== "enum") return bug(`${where} is no enum`);
  const [layout, zero, reach] = [reference(place, node), JSON.stringify(node.members[0]?.name), (offset >> 2) + 1];
  return {
    section: "data",
    reach,
    isSet: (value) => `${value} !== ${zero}`,
    put: `${quickWord(place, "putMember")}(writer, data + ${offset * 2}, ${layout}, ${local}, ${where})`,
    get: `dataWords < ${reach} ? ${zero} : ${quickWord(place, "memberAt")}(reader, ${layout}, data + ${offset * 2})`,
  };
}

function pointerPart(place: Place, field: SchemaField & { kind: "slot" }, local: string, where: string): Part {
  const { type, offset } = field;
  const [to, from] = [`pointers + ${offset * 8}`, `pointerCount > ${offset}`];
  const part = { section: "pointers", reach: offset + 1 } as const;
  switch (type.kind) {
    case "text": {
      const isSet = (value: string) => `${value} !== ""`;
      const put = `${quickWord(place, "putText")}(writer, ${to}, ${local}, ${where})`;
      return { ...part, isSet, put, get: `${from} ? ${quickWord(place, "textAt")}(reader, ${to}, depth + 1) : ""` };
    }
    case "data": {
      const isSet = (value: string) => `${value}?.length !== 0`;
      const put = `${quickWord(place, "putData")}(writer, ${to}, ${local}, ${where})`;
      const get = `${from} ? ${quickWord(place, "dataAt")}(reader, ${to}, depth + 1) : ${quickWord(place, "NO_BYTES")}`;
      return { ...part, isSet, put, get };
    }
    case "list": {
      const list = `list${where.replace(/\W/g, "")}`;
      const before = `const ${list}: QuickList = ${quickWord(place, "listOf")}(${where}, ${layoutText(place, type.element)});\n`;
      quickWord(place, "type QuickList");
      const isSet = (value: string) => `${value}?.length !== 0`;
      const put = `${list}.put(writer, ${to}, ${local}, depth + 1)`;
      const get = `${from} ? ${list}.get(reader, ${to}, depth + 1) : ${quickWord(place, "NO_ELEMENTS")}`;
      return { ...part, isSet, put, get, before };
    }
    case "struct": {
      const layout = reference(place, nodeNamed(place, type.id));
      const isSet = (value: string) => `!${quickWord(place, "isBlankStruct")}(${layout}, ${value}, depth + 1)`;
      const put = `${quickWord(place, "putStructOf")}(writer, ${to}, ${layout}, ${local}, depth + 1)`;
      const [got, empty] = [quickWord(place, "structOf"), quickWord(place, "emptyStruct")];
      const get = `(${from} ? ${got}(reader, ${to}, ${layout}, depth + 1) : ${empty}(${layout})) as ${layout}`;
      return { ...part, isSet, put, get, isGuarded: true };
    }
    default:
      return bug(`${where} is no pointer`);
  }
}
