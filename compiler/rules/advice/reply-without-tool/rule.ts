import { type CannedReply, fillPlaceholders, readReplies } from "../../../../engine/processes/model/replies.ts";
import { findNearest } from "../../../../lang/diagnostics/index.ts";
import type { Param, Tool, Type } from "../../../phases/bind/index.ts";
import { shortenWords } from "../../../phases/reflect/index.ts";
import { defineLaw } from "../../support/index.ts";
import { repliesMalformed, replyWithoutField, replyWithoutTool } from "./codes.ts";

/** Maximum number of characters of a file that a message shows. */
const MOST_SHOWN = 200;

/**
 * Maximum number of fields that a message suggests. MOST_LEVELS is the maximum depth at which a suggested field may be.
 */
const MOST_OFFERED = 4;
const MOST_LEVELS = 4;

/**
 * Reports canned replies that the model's program refuses, that call tools which the page does not have, or that name fields
 * which no result of their tool has.
 */
export const rule = defineLaw({
  reports: [repliesMalformed, replyWithoutTool, replyWithoutField],
  check: ({ model }, report) => {
    if (model.damaged) return;
    const tools = new Map(model.tools.map((tool) => [tool.name, tool]));
    const judged = new Map<object, ReturnType<typeof readReplies>>();
    for (const { node, replies } of model.backends) {
      if (replies === undefined || node.engine?.kind !== "stub" || node.engine.replies === undefined) continue;
      const { span, value: file } = node.engine.replies;
      const read = judged.get(replies) ?? readReplies(replies.bytes);
      judged.set(replies, read);
      if (!read.ok) {
        report(repliesMalformed.at(span, { file, fault: shortenWords(read.reason, MOST_SHOWN) }));
        continue;
      }
      const names = new Set(tools.keys());
      const [tool, ...more] = findUnknownCalls(read.value, names);
      if (tool !== undefined) {
        const near = findNearest(tool, names);
        report(replyWithoutTool.at(span, { file, tool: shortenWords(tool, MOST_SHOWN), more: more.length, near }));
      }
      const [first, ...others] = findUnknownFields(read.value, tools);
      if (first !== undefined) report(replyWithoutField.at(span, { file, ...first, more: others.length }));
    }
  },
});

/** Returns the tools that replies call and the page does not have, each once. */
function findUnknownCalls(replies: readonly CannedReply[], tools: ReadonlySet<string>): readonly string[] {
  const called = new Set(replies.flatMap(({ call }) => call.map(({ name }) => name)));
  const intended = new Set(
    replies.flatMap(({ when }) => (when.which === "tool" && when.outcome === "unknownTool" ? [when.name] : [])),
  );
  // Replies for `capc bridge` call actions of a kernel, whose names have no dot; `capc bridge` converts them to tools.
  return [...called].filter((name) => name.includes(".") && !tools.has(name) && !intended.has(name));
}

/** Placeholder that is never replaced, and the fields that its author may have meant. */
interface UnknownField {
  readonly placeholder: string;
  readonly tool: string;
  readonly fields: readonly string[];
}

/**
 * Examines the replies to successful calls. Returns the placeholders that no result of the called tool fills, each once
 * for each tool.
 */
function findUnknownFields(replies: readonly CannedReply[], tools: ReadonlyMap<string, Tool>): readonly UnknownField[] {
  const found = new Map<string, UnknownField>();
  for (const { when, say } of replies) {
    const tool = when.which === "tool" && when.outcome === "ok" ? tools.get(when.name) : undefined;
    if (tool === undefined) continue;
    const { results } = tool.method.description;
    fillPlaceholders(say, (path) => {
      const placeholder = path.join(".");
      if (placeholder !== "error" && !hasField(results, path)) {
        const unknown = { placeholder: shortenWords(placeholder, MOST_SHOWN), tool: tool.name };
        found.set(`${tool.name} ${placeholder}`, { ...unknown, fields: suggestFields(results, path.at(-1)) });
      }
      return undefined;
    });
  }
  return [...found.values()];
}

/** Returns whether a record with the fields `members` can have a value at the path. */
function hasField(members: readonly Param[], [name, ...rest]: readonly string[]): boolean {
  const member = members.find((one) => one.name === name);
  return member !== undefined && (rest.length === 0 || canHold(member.type, rest));
}

function canHold(type: Type, path: readonly string[]): boolean {
  switch (type.which) {
    case "record":
      return hasField(type.record, path);
    case "either":
      return type.either.some((one) => canHold(one, path));
    case "json":
      return type.json.form !== "list";
    default:
      return false;
  }
}

/**
 * Returns the fields whose last name is `name`; if there are none, returns all outermost fields. The list has at most
 * MOST_OFFERED fields.
 */
function suggestFields(results: readonly Param[], name: string | undefined): readonly string[] {
  const all = listFields(results, MOST_LEVELS);
  const same = all.filter((path) => path.at(-1) === name);
  return (same.length > 0 ? same : all.filter(({ length }) => length === 1))
    .slice(0, MOST_OFFERED)
    .map((path) => path.join("."));
}

/** Returns the paths of all fields of a result, down to a number of levels. */
function listFields(members: readonly Param[], levels: number): readonly (readonly string[])[] {
  if (levels === 0) return [];
  return members.flatMap(({ name, type }) => [
    [name],
    ...(type.which === "record" ? listFields(type.record, levels - 1).map((path) => [name, ...path]) : []),
  ]);
}
