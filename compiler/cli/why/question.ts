import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import type { Heard, Question } from "../../queries/why/index.ts";
import { readCallArguments } from "./arguments.ts";
import { suggestArguments } from "./quoting.ts";

const FORM = 'a question is SESSION[.TASK[.PHASE]] TOOL [ARGUMENTS], as in \'operator notes.write {"path": "a"}\'';

const RESULT_FORM = 'a result is TOOL JSON, as in \'contacts.find {"address": "a@b.example"}\'';

/** Options of the command that describe the state before the call. */
interface Before {
  readonly label: string | undefined;
  readonly presence: "absent" | "present";
  readonly typed: string | undefined;
  readonly pasted: string | undefined;
  readonly result: string | undefined;
}

/**
 * Parses a question, which is one operand of the command. Fails if the text does not have the form of a question. Does
 * not check whether the session or tool exists.
 */
export async function readQuestion(text: string, { label, presence, ...said }: Before): Promise<Result<Question>> {
  const [, place = "", tool = "", given] = /^\s*(\S+)\s+(\S+)(?:\s+(\S[\s\S]*?))?\s*$/.exec(text) ?? [];
  const [session = "", task, phase, surplus] = place.split(".");
  if (session === "" || task === "" || phase === "" || surplus !== undefined) return refuse(FORM);
  const args = given === undefined ? accept(undefined) : await readCallArguments(given);
  if (!args.ok) {
    const suggested = suggestArguments(given ?? "");
    const hint = suggested === undefined ? "" : `; did you mean ${suggested}?`;
    return refuse(`the arguments of ${tool} are ${args.reason}: ${given}${hint}`);
  }
  const heard = readHeard(said);
  if (!heard.ok) return heard;
  const question = {
    session,
    tool,
    unattended: presence === "absent",
    ...(task === undefined ? {} : { task }),
    ...(phase === undefined ? {} : { phase }),
    ...(args.value === undefined ? {} : { arguments: args.value }),
    ...(label === undefined ? {} : { label }),
    heard: heard.value,
  };
  return accept(question);
}

function readHeard({ typed, pasted, result }: Pick<Before, "typed" | "pasted" | "result">): Result<Heard> {
  const words = { ...(typed === undefined ? {} : { typed }), ...(pasted === undefined ? {} : { pasted }) };
  if (result === undefined) return accept(words);
  const [, tool, json] = /^\s*(\S+)\s+(\S[\s\S]*?)\s*$/.exec(result) ?? [];
  return tool === undefined || json === undefined ? refuse(RESULT_FORM) : accept({ ...words, result: { tool, json } });
}
