// Commands that state whether a person is present, and commands about waiting calls. Only a person's command sets
// presence; no model can.
import type { Parked } from "../parking.ts";
import { excerpt } from "../result.ts";
import type { CommandParts, Lines } from "./parts.ts";
import { answerLines } from "./tools.ts";

const HOUR_MS = 3_600_000;
const HOW = "/parked N asks you about one of them, /parked drop N lets it go";
const USAGE = "/parked takes the number of a call that waits, or drop and a number, or drop all";

export async function markAway({ gate }: CommandParts): Promise<Lines> {
  await gate.session.attend("away");
  const waits = gate.row.task === "" ? "is refused, for there is no task to wait in" : "waits until somebody is back";
  return [`nobody is here from now on: what needs a person ${waits}`];
}

export async function markBack(parts: CommandParts): Promise<Lines> {
  await parts.gate.session.attend("there");
  return ["somebody is here again", ...listParked(parts)];
}

/**
 * Lists parked calls, resumes one, or drops one or all. A resumed call is decided with a person present, even after
 * `/away`, because a person has typed `/parked`.
 */
export function handleParked(parts: CommandParts, argument: string, signal: AbortSignal): Lines | Promise<Lines> {
  if (argument === "") return listParked(parts);
  const [, drop, what = ""] = /^(drop )?\s*([1-9]\d{0,8}|all)$/.exec(argument) ?? [];
  if (drop !== undefined) return dropWaiting(parts, what === "all" ? 0 : Number(what));
  return what === "" || what === "all" ? [USAGE] : takeUpParked(parts, Number(what), signal);
}

function listParked({ gate }: CommandParts): Lines {
  const waiting = gate.personCalls.listWaiting();
  if (waiting.length === 0) return ["no call waits for a person"];
  return [...waiting.map((one) => renderParked(one, gate.parts.parking.computeLeftMs(one))), HOW];
}

/** Renders a parked call; its full arguments are shown when the person is asked. */
function renderParked({ number, call, conversation, turn, rule }: Parked, leftMs: number): string {
  const hours = Math.ceil(leftMs / HOUR_MS);
  const place = `turn ${turn} of ${conversation}`;
  return `${number}: ${excerpt(`${call.name} ${call.arguments}`)}; ${place}, asked for by ${rule}; ${hours} h are left`;
}

async function takeUpParked({ gate }: CommandParts, number: number, signal: AbortSignal): Promise<Lines> {
  const result = await gate.personCalls.takeUp(number, signal);
  return result.ok ? answerLines(gate.parts.person, result.value, signal) : [result.reason];
}

function dropWaiting({ gate }: CommandParts, number: number): Lines {
  const numbers = gate.personCalls.dropParked(number);
  if (numbers.length === 0) return [number === 0 ? "no call waits for a person" : `no call ${number} waits`];
  return numbers.map((one) => `call ${one} is dropped`);
}
