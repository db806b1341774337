import { type CannedReply, readReplies } from "../../../../engine/processes/model/replies.ts";
import { findNearest } from "../../../../lang/diagnostics/index.ts";
import { shortenWords } from "../../../phases/reflect/index.ts";
import { defineLaw } from "../../support/index.ts";
import { repliesMalformed, replyWithoutTool } from "./codes.ts";

/** Maximum number of characters of a file that a message shows. */
const MOST_SHOWN = 200;

/** Reports canned replies that the model's program refuses, or that call tools which the page does not have. */
export const rule = defineLaw({
  reports: [repliesMalformed, replyWithoutTool],
  check: ({ model }, report) => {
    if (model.damaged) return;
    const tools = new Set(model.tools.map(({ name }) => name));
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
      const [tool, ...more] = findUnknownCalls(read.value, tools);
      if (tool === undefined) continue;
      const near = findNearest(tool, tools);
      report(replyWithoutTool.at(span, { file, tool: shortenWords(tool, MOST_SHOWN), more: more.length, near }));
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
