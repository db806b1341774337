// A CodeGeneratorRequest as plain values, which the generator and the reflection read. The bytes of the request come
// from our own run of the Cap'n Proto compiler or from the checked-in schema.cgr, because capnp-es is not safe for
// untrusted bytes.

import * as capnp from "capnp-es";
import * as schema from "capnp-es/capnp/schema";

export type Scalar =
  | "bool"
  | "int8"
  | "int16"
  | "int32"
  | "int64"
  | "uint8"
  | "uint16"
  | "uint32"
  | "uint64"
  | "float32"
  | "float64";

export type SchemaType =
  | { readonly kind: "void" | "text" | "data" | "anyPointer" | Scalar }
  | { readonly kind: "list"; readonly element: SchemaType }
  | { readonly kind: "enum" | "interface"; readonly id: bigint }
  | { readonly kind: "struct"; readonly id: bigint; readonly bindings: Bindings }
  /** A type parameter of the node `scope`, or of a method, which has no scope. */
  | { readonly kind: "parameter"; readonly scope: bigint | undefined; readonly index: number };

/**
 * Bindings of the type parameters of each node: one type for each parameter, or `inherited` if the bindings at the
 * place of use apply.
 */
export type Bindings = ReadonlyMap<bigint, "inherited" | readonly SchemaType[]>;

/** Values of annotations, by the id of their declaration. Values of types that our annotations do not use are omitted. */
export type Annotations = ReadonlyMap<bigint, string | bigint | number | true>;

/**
 * A field of a struct in a schema. `tag` is the discriminant of a union's member. `standard` is the default value;
 * `undefined` means zero.
 */
export type SchemaField = {
  readonly name: string;
  readonly doc: string;
  readonly tag?: number;
  readonly annotations: Annotations;
} & (
  | {
      readonly kind: "slot";
      readonly type: SchemaType;
      /** Offset in units of the type's size; for a pointer, its index. */
      readonly offset: number;
      readonly standard?: number | bigint | boolean;
      /** Whether the source states a default, even zero. */
      readonly optional: boolean;
      /** Whether the source states a default that is a pointer, which is not supported. */
      readonly pointerDefault: boolean;
      /** Whether the default is an empty text, which is decoded like a null pointer. */
      readonly emptyDefault: boolean;
    }
  | { readonly kind: "group"; readonly id: bigint }
);

interface Named {
  readonly id: bigint;
  /** Parts of the name: the path of `Trust.Key` is ["Trust", "Key"]. */
  readonly path: readonly string[];
  readonly file: string;
  readonly doc: string;
  readonly generic: boolean;
}

export interface StructNode extends Named {
  readonly kind: "struct";
  readonly isGroup: boolean;
  readonly dataWords: number;
  readonly pointers: number;
  /** Offset of the union's tag in units of 16 bits. */
  readonly tagOffset?: number;
  readonly fields: readonly SchemaField[];
}

export interface EnumNode extends Named {
  readonly kind: "enum";
  readonly members: readonly { readonly name: string; readonly doc: string }[];
}

export interface SchemaMethod {
  readonly name: string;
  readonly ordinal: number;
  readonly doc: string;
  readonly params: bigint;
  readonly paramBindings: Bindings;
  readonly results: bigint;
  readonly resultBindings: Bindings;
  readonly annotations: Annotations;
}

export interface InterfaceNode extends Named {
  readonly kind: "interface";
  readonly methods: readonly SchemaMethod[];
  readonly superclasses: readonly bigint[];
  readonly annotations: Annotations;
}

export type SchemaNode = StructNode | EnumNode | InterfaceNode;

/** All nodes by id, and the requested files in the order of the request. */
export interface SchemaRequest {
  readonly files: readonly { readonly id: bigint; readonly name: string }[];
  readonly nodes: ReadonlyMap<bigint, SchemaNode>;
}

/** Reads those nodes of a CodeGeneratorRequest whose files are `wanted`. */
export function readRequest(bytes: Uint8Array, wanted: (file: string) => boolean = () => true): SchemaRequest {
  const message = new capnp.Message(new Uint8Array(bytes), false);
  const root = message.getRoot(schema.CodeGeneratorRequest);
  const sources = new Map(root.sourceInfo.map((source) => [source.id, source]));
  const nodes = new Map<bigint, SchemaNode>();
  for (const node of root.nodes) {
    if (!wanted(getFile(node))) continue;
    const source = sources.get(node.id);
    const read = readNode(node, source === undefined ? { doc: "", members: [] } : readDocs(source));
    if (read !== undefined) nodes.set(read.id, read);
  }
  return { files: root.requestedFiles.map((file) => ({ id: file.id, name: file.filename })), nodes };
}

function getFile({ displayName }: schema.Node): string {
  return displayName.replace(/:.*$/, "");
}

interface Docs {
  readonly doc: string;
  readonly members: readonly string[];
}

function readDocs(source: schema.Node_SourceInfo): Docs {
  return { doc: source.docComment.trim(), members: source.members.map((member) => member.docComment.trim()) };
}

function readNode(node: schema.Node, docs: Docs): SchemaNode | undefined {
  const [file = "", nested = ""] = node.displayName.split(":");
  const named = { id: node.id, path: nested.split("."), file, doc: docs.doc, generic: node.isGeneric };
  switch (node.which()) {
    case schema.Node.STRUCT:
      return { ...named, kind: "struct", ...readStruct(node.struct, docs) };
    case schema.Node.ENUM:
      return {
        ...named,
        kind: "enum",
        members: node.enum.enumerants.map((one, at) => ({ name: one.name, doc: docs.members[at] ?? "" })),
      };
    case schema.Node.INTERFACE:
      return {
        ...named,
        kind: "interface",
        ...readInterface(node.interface, docs),
        annotations: readAnnotationList(node.annotations),
      };
    default:
      return undefined;
  }
}

function readStruct(node: schema.Node_Struct, docs: Docs): Omit<StructNode, keyof Named | "kind"> {
  return {
    isGroup: node.isGroup,
    dataWords: node.dataWordCount,
    pointers: node.pointerCount,
    ...(node.discriminantCount > 0 ? { tagOffset: node.discriminantOffset } : {}),
    fields: node.fields.map((field, at) => readField(field, docs.members[at] ?? "")),
  };
}

function readInterface(
  node: schema.Node_Interface,
  docs: Docs,
): Omit<InterfaceNode, keyof Named | "kind" | "annotations"> {
  return {
    methods: node.methods.map((method, ordinal) => ({
      name: method.name,
      ordinal,
      doc: docs.members[ordinal] ?? "",
      params: method.paramStructType,
      paramBindings: readBindings(method.paramBrand),
      results: method.resultStructType,
      resultBindings: readBindings(method.resultBrand),
      annotations: readAnnotationList(method.annotations),
    })),
    superclasses: node.superclasses.map((one) => one.id),
  };
}

function readAnnotationList(list: Iterable<schema.Annotation>): Annotations {
  const read = new Map<bigint, string | bigint | number | true>();
  for (const { id, value } of list) {
    const said = readAnnotationValue(value);
    if (said !== undefined) read.set(id, said);
  }
  return read;
}

function readAnnotationValue(value: schema.Value): string | bigint | number | true | undefined {
  switch (value.which()) {
    case schema.Value.VOID:
      return true;
    case schema.Value.TEXT:
      return value.text;
    case schema.Value.INT64:
      return value.int64;
    case schema.Value.UINT32:
      return value.uint32;
    default:
      return undefined;
  }
}

const NO_TAG = 0xffff;

function readField(field: schema.Field, doc: string): SchemaField {
  const tag = field.discriminantValue;
  const annotations = readAnnotationList(field.annotations);
  const named = { name: field.name, doc, annotations, ...(tag === NO_TAG ? {} : { tag }) };
  if (field.which() === schema.Field.GROUP) return { ...named, kind: "group", id: field.group.typeId };
  const { offset, hadExplicitDefault } = field.slot;
  const type = typeOf(field.slot.type);
  const standard = readDefault(field.slot.defaultValue, type);
  return {
    ...named,
    kind: "slot",
    type,
    offset,
    optional: hadExplicitDefault,
    pointerDefault: hadExplicitDefault && POINTERS.has(type.kind),
    emptyDefault: hadExplicitDefault && type.kind === "text" && field.slot.defaultValue.text === "",
    ...(standard ? { standard } : {}),
  };
}

const POINTERS: ReadonlySet<string> = new Set(["text", "data", "list", "struct", "interface", "anyPointer"]);

const SCALARS: readonly Scalar[] = [
  "bool",
  "int8",
  "int16",
  "int32",
  "int64",
  "uint8",
  "uint16",
  "uint32",
  "uint64",
  "float32",
  "float64",
];

function typeOf(type: schema.Type): SchemaType {
  const which = type.which();
  switch (which) {
    case schema.Type.VOID:
      return { kind: "void" };
    case schema.Type.TEXT:
      return { kind: "text" };
    case schema.Type.DATA:
      return { kind: "data" };
    case schema.Type.LIST:
      return { kind: "list", element: typeOf(type.list.elementType) };
    case schema.Type.ENUM:
      return { kind: "enum", id: type.enum.typeId };
    case schema.Type.STRUCT:
      return { kind: "struct", id: type.struct.typeId, bindings: readBindings(type.struct.brand) };
    case schema.Type.INTERFACE:
      return { kind: "interface", id: type.interface.typeId };
    case schema.Type.ANY_POINTER:
      return readPointerType(type.anyPointer);
    default:
      return { kind: SCALARS[which - schema.Type.BOOL] ?? "anyPointer" };
  }
}

function readPointerType(pointer: schema.Type_AnyPointer): SchemaType {
  switch (pointer.which()) {
    case schema.Type_AnyPointer.PARAMETER:
      return { kind: "parameter", scope: pointer.parameter.scopeId, index: pointer.parameter.parameterIndex };
    case schema.Type_AnyPointer.IMPLICIT_METHOD_PARAMETER:
      return { kind: "parameter", scope: undefined, index: pointer.implicitMethodParameter.parameterIndex };
    default:
      return { kind: "anyPointer" };
  }
}

/** Returns the bindings of a brand. A type parameter without a binding becomes `anyPointer`. */
function readBindings(brand: schema.Brand): Bindings {
  return new Map(
    brand.scopes.map((scope) => [
      scope.scopeId,
      scope.which() === schema.Brand_Scope.INHERIT
        ? "inherited"
        : scope.bind.map((one) =>
            one.which() === schema.Brand_Binding.TYPE ? typeOf(one.type) : { kind: "anyPointer" as const },
          ),
    ]),
  );
}

/**
 * Returns the default of a field. capnp-es 0.0.16 reads some negative numbers wrongly, but reads defaults correctly;
 * the struct `Defaults` of the fixture tests this.
 */
function readDefault(value: schema.Value, type: SchemaType): number | bigint | boolean | undefined {
  switch (type.kind) {
    case "bool":
      return value.bool;
    case "int8":
      return value.int8;
    case "int16":
      return value.int16;
    case "int32":
      return value.int32;
    case "int64":
      return value.int64;
    case "uint8":
      return value.uint8;
    case "uint16":
      return value.uint16;
    case "uint32":
      return value.uint32;
    case "uint64":
      return value.uint64;
    case "float32":
      return value.float32;
    case "float64":
      return value.float64;
    case "enum":
      return value.enum;
    default:
      return undefined;
  }
}
