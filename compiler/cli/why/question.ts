import type { Result } from "../../../engine/lib/result/result.ts";
import type { Question } from "../../queries/why/index.ts";

const FORM = 'a question is SESSION[.TASK[.PHASE]] TOOL [ARGUMENTS], as in \'operator notes.write {"path": "a"}\'';

/** From one operand; whether there is such a session or tool is for others to say. */
export function readQuestion(
  text: string,
  label: string | undefined,
  presence: "absent" | "present",
): Result<Question> {
  const [, place = "", tool = "", given] = /^\s*(\S+)\s+(\S+)(?:\s+(\S[\s\S]*?))?\s*$/.exec(text) ?? [];
  const [session = "", task, phase, surplus] = place.split(".");
  if (session === "" || task === "" || phase === "" || surplus !== undefined) return { ok: false, reason: FORM };
  if (given !== undefined && !isObject(given))
    return { ok: false, reason: `the arguments of ${tool} are no JSON object: ${given}` };
  const question = {
    session,
    tool,
    unattended: presence === "absent",
    ...(task === undefined ? {} : { task }),
    ...(phase === undefined ? {} : { phase }),
    ...(given === undefined ? {} : { arguments: given }),
    ...(label === undefined ? {} : { label }),
  };
  return { ok: true, value: question };
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value);
  } catch {
    return false;
  }
}
