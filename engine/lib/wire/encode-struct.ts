// Writes fields, groups and unions inside the sections of their struct.

import {
  type Extent,
  type PointerCode,
  putStruct,
  rejectUnfitValue,
  type SectionCode,
  type Value,
} from "./encode-code.ts";
import { makePointerEncoder, putText } from "./encode-pointer.ts";
import { type EnumLayout, type FieldLayout, type ScalarType, type Shape, type StructLayout, WHICH } from "./layout.ts";
import { getScalarCode, makeFieldCode, reachOf } from "./scalar.ts";
import type { Writer } from "./writer.ts";

const codes = new WeakMap<StructLayout<unknown>, SectionCode>();

/** Returns the code that writes structs of a layout; the code is made once. */
export function getStructEncoder(layout: StructLayout<unknown>): SectionCode {
  const known = codes.get(layout);
  if (known !== undefined) return known;
  const made = compileShape(layout.name, layout.shape());
  codes.set(layout, made);
  return made;
}

/** Writes a struct, with its generated code if it has some. */
export function putStructOf(
  writer: Writer,
  at: number,
  layout: StructLayout<unknown>,
  value: unknown,
  depth: number,
): void {
  const { quick } = layout;
  if (quick === undefined) putStruct(writer, at, getStructEncoder(layout), value, depth);
  else quick.put(writer, at, value, depth);
}

function compileShape(where: string, shape: Shape): SectionCode {
  const fields = shape.fields.filter((field) => field.type.kind !== "void" && field.type.kind !== "interface");
  const parts = fields.map((field) => ({ name: field.name, code: compileMember(`${where}.${field.name}`, field) }));
  const union = shape.union === undefined ? undefined : compileUnion(where, shape.union);
  const measureParts = measureOf(parts);
  return {
    isBlank: (value, depth) => {
      const record = recordOf(where, value);
      for (let index = 0; index < parts.length; index += 1) {
        const part = parts[index];
        if (part !== undefined && !part.code.isBlank(record[part.name], depth)) return false;
      }
      return union?.isBlank(record, depth) ?? true;
    },
    measure: (value, extent, depth) => {
      const record = recordOf(where, value);
      measureParts(record, extent, depth);
      union?.measure(record, extent, depth);
    },
    put: (writer, data, pointers, value, depth) => {
      const record = recordOf(where, value);
      for (let index = 0; index < parts.length; index += 1) {
        const part = parts[index];
        part?.code.put(writer, data, pointers, record[part.name], depth);
      }
      union?.put(writer, data, pointers, record, depth);
    },
  };
}

interface Part {
  readonly name: string;
  readonly code: MemberCode;
}

/**
 * The code that writes one field. If the field is in one section only, `span` names this section; a group has no
 * `span`, and its own code measures it.
 */
interface MemberCode extends SectionCode {
  readonly span?: {
    readonly section: keyof Extent;
    /** Number of words or pointers that the section must have to contain the field. */
    readonly reach: number;
    readonly isEmpty: (value: unknown, depth: number) => boolean;
  };
}

/**
 * Returns a function that measures both sections of a struct: the last field that is not empty determines the length of
 * its section. The function searches from the end, because the last field of most structs is not empty.
 */
function measureOf(parts: readonly Part[]): (record: Value, extent: Extent, depth: number) => void {
  const spans = parts.flatMap(({ name, code: { span } }) => (span === undefined ? [] : [{ name, ...span }]));
  const sortFromEnd = (section: keyof Extent) =>
    spans.filter((span) => span.section === section).sort((one, other) => other.reach - one.reach);
  const [words, pointers] = [sortFromEnd("dataWords"), sortFromEnd("pointers")];
  const groups = parts.filter(({ code }) => code.span === undefined);
  return (record, extent, depth) => {
    widen(words, "dataWords", record, extent, depth);
    widen(pointers, "pointers", record, extent, depth);
    for (const { name, code } of groups) code.measure(record[name], extent, depth);
  };
}

interface Span extends NonNullable<MemberCode["span"]> {
  readonly name: string;
}

/**
 * Widens one section of `extent`, so that it includes all fields in `spans` that are not empty. The function loops by
 * index, because without a JIT compiler iterators are slow.
 */
function widen(spans: readonly Span[], section: keyof Extent, record: Value, extent: Extent, depth: number): void {
  for (let index = 0; index < spans.length; index += 1) {
    const span = spans[index];
    if (span === undefined || span.reach <= extent[section]) return;
    if (!span.isEmpty(record[span.name], depth)) extent[section] = span.reach;
  }
}

function recordOf(where: string, value: unknown): Value {
  return typeof value === "object" && value !== null ? (value as Value) : rejectUnfitValue(where, value);
}

function compileUnion(where: string, union: NonNullable<Shape["union"]>): SectionCode {
  const members = new Map(
    union.members.map((member, tag) => [member.name, { tag, code: compileMember(`${where}.${member.name}`, member) }]),
  );
  const reach = reachOf(16, union.tagOffset);
  const findChosenMember = (value: unknown) => {
    const which = (value as Value)[WHICH];
    return members.get(which as string) ?? rejectUnfitValue(`${where}.which`, which);
  };
  return {
    isBlank: (value, depth) => {
      const { tag, code } = findChosenMember(value);
      return tag === 0 && code.isBlank((value as Value)[(value as Value)[WHICH] as string], depth);
    },
    measure: (value, extent, depth) => {
      const { tag, code } = findChosenMember(value);
      if (tag !== 0 && reach > extent.dataWords) extent.dataWords = reach;
      code.measure((value as Value)[(value as Value)[WHICH] as string], extent, depth);
    },
    put: (writer, data, pointers, value, depth) => {
      const { tag, code } = findChosenMember(value);
      if (tag !== 0) writer.view.setUint16(data + union.tagOffset * 2, tag, true);
      code.put(writer, data, pointers, (value as Value)[(value as Value)[WHICH] as string], depth);
    },
  };
}

const silent: SectionCode = { isBlank: () => true, measure: () => {}, put: () => {} };

function compileMember(where: string, field: FieldLayout): MemberCode {
  const { type } = field;
  switch (type.kind) {
    case "void":
    case "interface":
      return silent;
    case "group":
      return compileShape(where, type.shape);
    case "text":
      return compileTextMember(where, field.offset);
    case "data":
    case "list":
    case "struct":
      return compilePointerMember(makePointerEncoder(where, type, getStructEncoder), field.offset);
    default:
      return compileScalarMember(where, field, type);
  }
}

/** Returns the code that writes a text field, the most frequent kind of field. */
function compileTextMember(where: string, index: number): MemberCode {
  const isEmpty = (value: unknown) => value === "";
  return makeSpanningMember({ section: "pointers", reach: index + 1, isEmpty }, (writer, _data, pointers, value) =>
    putText(writer, pointers + index * 8, value, where),
  );
}

function compilePointerMember(code: PointerCode, index: number): MemberCode {
  const isEmpty = (value: unknown, depth: number) => code.isEmpty(value, depth + 1);
  return makeSpanningMember(
    { section: "pointers", reach: index + 1, isEmpty },
    (writer, _data, pointers, value, depth) => code.put(writer, pointers + index * 8, value, depth + 1),
  );
}

function compileScalarMember(where: string, field: FieldLayout, type: ScalarType | EnumLayout): MemberCode {
  const code = makeFieldCode(field, getScalarCode(type));
  const { offset } = field;
  const reach = reachOf(code.bits, offset);
  return makeSpanningMember({ section: "dataWords", reach, isEmpty: code.isZero }, (writer, data, _pointers, value) => {
    if (code.isZero(value)) return;
    if (!code.fits(value)) rejectUnfitValue(where, value);
    code.put(writer.view, data, offset, value);
  });
}

function makeSpanningMember(span: NonNullable<MemberCode["span"]>, put: SectionCode["put"]): MemberCode {
  const { section, reach, isEmpty } = span;
  const measure: SectionCode["measure"] = (value, extent, depth) => {
    if (reach > extent[section] && !isEmpty(value, depth)) extent[section] = reach;
  };
  return { isBlank: isEmpty, measure, put, span };
}
