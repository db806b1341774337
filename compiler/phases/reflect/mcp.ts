// Reads one stored result of MCP's `tools/list` as an interface. The file is untrusted: its size is limited, and it is
// parsed strictly. The file describes the tools, but no decision depends on it; its hints are only compared with the
// page.

import { createHash } from "node:crypto";
import {
  computeToolListDigest,
  findOddity,
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  nameListedTool,
  readTolerantly,
} from "../../../engine/lib/policy/index.ts";
import { type Result, refuse } from "../../../engine/lib/result/result.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import { shortenWords, unwrapProse } from "./described.ts";
import { explainUnseen, isUnseen } from "./hidden.ts";
import type { UncheckedRules } from "./json-place.ts";
import { renderSchema } from "./json-schema.ts";
import { type ConvertedParams, type OmittedParam, readArguments } from "./json-types.ts";
import { removeWords } from "./shapes.ts";
import type { InterfaceDescription, MethodDescription } from "./tools.ts";

/** Hints of a server about its tool. */
export interface Hints {
  readonly readOnly: boolean | undefined;
  readonly destructive: boolean | undefined;
}

/** A tool of a list: the method, its omitted parts, and the server's hints. */
export interface ListedTool {
  readonly method: MethodDescription;
  /** The name that the server gives the tool. If the name is not valid on a page, the method has another name. */
  readonly listed: string;
  /** Optional arguments that cannot be represented; no call can contain them. */
  readonly omitted: readonly OmittedParam[];
  /** Rules that the gate does not check, about the tool's arguments. */
  readonly unheld: readonly UncheckedRules[];
  readonly hints: Hints;
}

interface ToolList {
  readonly description: InterfaceDescription;
  readonly tools: readonly ListedTool[];
}

const MAX_TOOLS = 1000;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_WORDS = 4096;

/**
 * Returns the interface `Tools` of a list, with its methods in order of names. Fails if the file is not a tool list.
 * `path` is the path of the file.
 */
export function readToolList(path: string, text: string): Result<ToolList> {
  // An invalid part must not exclude the whole list, but only the argument or tool that contains it.
  const read = readTolerantly(text, MAX_LIST_BYTES);
  if (!read.ok) return refuse(`it is not acceptable JSON: ${read.reason}`);
  const listed = readTools(read.value);
  if (!listed.ok) return listed;
  const names = listed.value.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return refuse(`two of its tools are named ${JSON.stringify(twice)}`);
  const sorted = listed.value
    .map((tool) => ({ ...tool, known: nameListedTool(tool.name) ?? tool.name }))
    .sort((left, right) => compareCodeUnits(left.known, right.known));
  const known = sorted.map((tool) => tool.known);
  const both = known.find((name, index) => known.indexOf(name) !== index);
  if (both !== undefined) return refuse(`two of its tools would be named ${JSON.stringify(both)}`);
  const tools = sorted.map((tool, ordinal) => readListedTool(tool, ordinal));
  const methods = tools.map(({ method }) => method);
  const doc = "Tools of a server of the Model Context Protocol.";
  const toolList = computeToolListDigest(listed.value.map(({ record }) => record));
  return {
    ok: true,
    value: { description: { id: deriveId(path), name: "Tools", file: path, doc, methods, toolList }, tools },
  };
}

interface KnownTool extends NamedTool {
  /** Name of the tool on a page and for a model. */
  readonly known: string;
}

interface NamedTool {
  readonly name: string;
  readonly record: JsonRecord;
}

/**
 * Reads a result of `tools/list`, or the whole response of a server that contains such a result. Fails with the reason
 * if the list cannot be used.
 */
function readTools(value: Json): Result<readonly NamedTool[]> {
  const answer = isRecord(value) && value["result"] !== undefined ? value["result"] : value;
  const odd = findOddity(value) ?? findOddity(answer);
  if (odd !== undefined) return refuse(`it is not acceptable JSON: ${odd.reason}`);
  const tools = isRecord(answer) ? answer["tools"] : undefined;
  if (!isRecord(answer) || tools === undefined || !isList(tools)) return refuse("it has no list `tools`");
  if (answer["nextCursor"] !== undefined) return refuse("it is one page of several (`nextCursor`); join them first");
  if (tools.length > MAX_TOOLS) return refuse(`it has ${tools.length} tools; at most ${MAX_TOOLS} are taken`);
  const named: NamedTool[] = [];
  for (const record of tools) {
    const odd = findOddity(record);
    const name = odd === undefined ? isRecord(record) && record["name"] : nameIn(odd.source);
    if (!isRecord(record) || typeof name !== "string" || name === "") return refuse("one of its tools has no name");
    named.push({ name, record });
  }
  return { ok: true, value: named };
}

/**
 * Returns the name of a tool whose JSON the strict parser refuses, so that a message can name the omitted tool. Returns
 * `undefined` if the tool has no name.
 */
function nameIn(source: string): string | undefined {
  const read = parseJson(source);
  const name = typeof read === "object" && read !== null && "name" in read ? read.name : undefined;
  return typeof name === "string" ? name : undefined;
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function readListedTool({ name: listed, known: name, record }: KnownTool, ordinal: number): ListedTool {
  const { description = "", inputSchema, outputSchema, annotations } = record;
  const doc = typeof description === "string" ? unwrapProse(description).trim() : "";
  const hints = readHints(annotations);
  const omitTool = (reason: string): ListedTool => {
    return { method: { ordinal, name, doc: "", callable: false, reason }, listed, omitted: [], unheld: [], hints };
  };
  const odd = findOddity(record) ?? findOddity(description);
  if (odd !== undefined) return omitTool(`what the list says of it is not acceptable JSON: ${odd.reason}`);
  const wrong = explainWrongWords(listed, doc);
  if (wrong !== undefined) return omitTool(wrong);
  const params = inputSchema === undefined ? NOTHING : readArguments(inputSchema);
  if (!params.ok) return omitTool(`argument ${params.reason}`);
  const results = readResults(outputSchema ?? null);
  if (!results.ok) return omitTool(`result ${results.reason}`);
  const method: MethodDescription = {
    ordinal,
    name,
    doc: [shortenWords(doc, MAX_WORDS), params.value.together].filter((part) => part !== "").join(" "),
    callable: true,
    params: removeWords(params.value.params),
    paramSchema: renderSchema(params.value.params),
    results: removeWords(results.value.params),
    resultSchema: renderSchema(results.value.params),
  };
  return { method, listed, omitted: params.value.omitted, unheld: params.value.unheld, hints };
}

const NOTHING: Result<ConvertedParams> = { ok: true, value: { params: [], omitted: [], together: "", unheld: [] } };

/** Type of the result of a tool without a result schema: a text. */
const TEXT: Result<ConvertedParams> = {
  ok: true,
  value: {
    params: [{ name: "text", doc: "", required: true, type: { which: "text", text: { maxBytes: 0 } } }],
    omitted: [],
    together: "",
    unheld: [],
  },
};

/** Returns the type of a tool's results. Results without a type that the gate can check are returned as text. */
function readResults(schema: Json): Result<ConvertedParams> {
  const results = readArguments(schema);
  const isShaped = results.ok && results.value.omitted.length === 0 && results.value.params.length > 0;
  return isShaped || (!results.ok && isRefusedWhole(results.reason)) ? results : TEXT;
}

/**
 * Returns whether the whole tool must be left out if its results are refused for this reason. This is so for invisible
 * characters, and for JSON that is not acceptable.
 */
function isRefusedWhole(reason: string): boolean {
  return isUnseen(reason) || reason.includes("not acceptable JSON");
}

function explainWrongWords(name: string, doc: string): string | undefined {
  if (nameListedTool(name) === undefined) return "its name is not visible ASCII of at most 128 characters";
  return explainUnseen(doc);
}

function readHints(annotations: Json | undefined): Hints {
  const readHint = (name: string): boolean | undefined => {
    const value = annotations !== undefined && isRecord(annotations) ? annotations[name] : undefined;
    return typeof value === "boolean" ? value : undefined;
  };
  return { readOnly: readHint("readOnlyHint"), destructive: readHint("destructiveHint") };
}

/**
 * Derives an id from the path of a list; the path is unique within a package. Cap'n Proto's ids have their highest bit
 * set.
 */
function deriveId(path: string): bigint {
  const digest = createHash("sha256").update(`mcp tools/list\0${path}`).digest();
  return digest.readBigUInt64BE() | (1n << 63n);
}
