// Decodes the messages that capc wrote, with code that shares nothing with the encoder. capnp-es walks the message, and
// the schema comes from the CodeGeneratorRequest, not from the generated layouts. The decoder must only read bytes that
// capc made, because capnp-es is not safe for other bytes.
import * as capnp from "capnp-es";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { Scalar, SchemaField, SchemaRequest, SchemaType, StructNode } from "../../phases/reflect/request.ts";

/** Decodes a message with capnp-es, into plain values of the same shape as those of the generated types. */
export function decodeAgain(request: SchemaRequest, struct: string, bytes: Uint8Array): unknown {
  const node = [...request.nodes.values()].find((one) => one.kind === "struct" && one.path.join(".") === struct);
  if (node?.kind !== "struct") return bug(`the schema has no struct ${struct}`);
  const message = new capnp.Message(new Uint8Array(bytes), false);
  return new Walk(request).record(node, message.getRoot(AnyStruct));
}

type Plain = Record<string, unknown>;

/**
 * Represents a struct of any size. A canonical message omits trailing zeros, and capnp-es would extend such a message
 * while it reads it, which changes the bytes. So capnp-es gets a struct type without fields, and this file checks the
 * bounds of each field.
 */
class AnyStruct extends capnp.Struct {
  static override readonly _capnp = { displayName: "any", id: "0", size: new capnp.ObjectSize(0, 0) };
}
const AnyStructs = capnp.CompositeList(AnyStruct);

class Walk {
  readonly #request: SchemaRequest;

  constructor(request: SchemaRequest) {
    this.#request = request;
  }

  record(node: StructNode, at: capnp.Struct): Plain {
    const plain: Plain = {};
    const chosen: { which?: string } = plain;
    const tag = node.tagOffset === undefined ? undefined : number("uint16", node.tagOffset, at);
    for (const field of node.fields) {
      if (field.tag !== undefined && field.tag !== tag) continue;
      if (field.tag !== undefined) chosen.which = field.name;
      if (!isNothing(field)) plain[field.name] = this.#readField(field, at);
    }
    return plain;
  }

  #readField(field: SchemaField, at: capnp.Struct): unknown {
    if (field.kind === "group") return this.record(this.#getStruct(field.id), at);
    const { type, offset } = field;
    switch (type.kind) {
      case "enum":
        return this.#getMember(type.id, Number(number("uint16", offset, at)));
      case "text":
      case "data":
      case "struct":
      case "list":
        return this.#readPointed(type, hasPointer(offset, at) ? offset : undefined, at);
      case "void":
      case "anyPointer":
      case "interface":
      case "parameter":
        return null;
      default:
        return number(type.kind, offset, at);
    }
  }

  /** Returns the value behind a pointer, or the default of its type if the pointer is missing. */
  #readPointed(type: SchemaType, offset: number | undefined, at: capnp.Struct): unknown {
    switch (type.kind) {
      case "text":
        return offset === undefined ? "" : capnp.utils.getText(offset, at);
      case "data":
        return offset === undefined ? new Uint8Array() : new Uint8Array(capnp.utils.getData(offset, at).toUint8Array());
      case "struct":
        return this.record(this.#getStruct(type.id), offset === undefined ? NOTHING : readStruct(offset, at));
      case "list":
        return offset === undefined ? [] : this.#list(type.element, offset, at);
      default:
        return bug(`no artefact has a pointer to ${type.kind}`);
    }
  }

  #list(element: SchemaType, offset: number, at: capnp.Struct): readonly unknown[] {
    const listItems = <T>(list: ArrayLike<T> & { get: (index: number) => T }) =>
      Array.from({ length: list.length }, (_, index) => list.get(index));
    switch (element.kind) {
      case "text":
        return listItems(capnp.utils.getList(offset, capnp.TextList, at));
      case "uint16":
        return listItems(capnp.utils.getList(offset, capnp.Uint16List, at));
      case "uint32":
        return listItems(capnp.utils.getList(offset, capnp.Uint32List, at));
      case "enum":
        return listItems(capnp.utils.getList(offset, capnp.Uint16List, at)).map((one) =>
          this.#getMember(element.id, one),
        );
      case "struct": {
        const node = this.#getStruct(element.id);
        return listItems(capnp.utils.getList(offset, AnyStructs, at)).map((item) => this.record(node, item));
      }
      default:
        return bug(`no artefact has a list of ${element.kind}`);
    }
  }

  #getStruct(id: bigint): StructNode {
    const node = this.#request.nodes.get(id);
    if (node?.kind !== "struct") throw new Error(`capc defect: the schema has no struct ${id.toString(16)}`);
    return node;
  }

  #getMember(id: bigint, ordinal: number): string | undefined {
    const node = this.#request.nodes.get(id);
    return node?.kind === "enum" ? node.members[ordinal]?.name : undefined;
  }
}

function isNothing(field: SchemaField): boolean {
  return field.kind === "slot" && field.type.kind === "void";
}

/** Struct that a null pointer stands for: all its fields are zero. */
const NOTHING = new capnp.Message().initRoot(AnyStruct);

function readStruct(offset: number, at: capnp.Struct): capnp.Struct {
  return capnp.utils.getStruct(offset, AnyStruct, at);
}

function hasPointer(index: number, at: capnp.Struct): boolean {
  const { pointerLength } = capnp.utils.getSize(at);
  return index < pointerLength && !capnp.utils.isNull(capnp.utils.getPointer(index, at));
}

const BYTES = { bool: 1 / 8, uint8: 1, uint16: 2, uint32: 4, uint64: 8, int64: 8 } as const;

/**
 * Reads a number of the given type. Signed types of 32 bits and less are missing: capnp-es 0.0.16 reads them
 * incorrectly, and no artefact has such a type.
 */
function number(kind: Scalar, offset: number, at: capnp.Struct): number | bigint | boolean {
  if (!isRead(kind)) return bug(`no artefact has a field of ${kind}`);
  const byte = offset * BYTES[kind];
  const isThere = Math.floor(byte) + Math.ceil(BYTES[kind]) <= capnp.utils.getSize(at).dataByteLength;
  switch (kind) {
    case "bool":
      return isThere && capnp.utils.getBit(offset, at);
    case "uint8":
      return isThere ? capnp.utils.getUint8(byte, at) : 0;
    case "uint16":
      return isThere ? capnp.utils.getUint16(byte, at) : 0;
    case "uint32":
      return isThere ? capnp.utils.getUint32(byte, at) : 0;
    case "uint64":
      return isThere ? capnp.utils.getUint64(byte, at) : 0n;
    case "int64":
      return isThere ? capnp.utils.getInt64(byte, at) : 0n;
  }
}

function isRead(kind: Scalar): kind is keyof typeof BYTES {
  return Object.hasOwn(BYTES, kind);
}
