// The loop of one session, between the person's text and the model's. It reads text of people, models and tools, and cannot cause an effect
// by itself. It has connections to the terminal, to models, and to a gate to which it proposes calls, but to no tool. The loop treats no
// text as a command; the person's own commands never reach it.
import { Terminal } from "../../lib/wire/generated/wire.ts";
import { History } from "./history.ts";
import type { LoopParts, TurnParts } from "./parts.ts";
import { ModelTokens } from "./tokens.ts";
import { Transcript } from "./transcript.ts";
import { TurnRun } from "./turn.ts";

/** Handles one line after the other, until the person leaves or the console's connection ends. */
export async function converse(parts: LoopParts): Promise<void> {
  const transcript = new Transcript(new History(parts.store));
  const tokens = new Map([...parts.models].map(([name, model]) => [name, new ModelTokens(model)] as const));
  for (;;) {
    const line = await parts.terminal.call(Terminal.methods.readLine, {});
    if (!line.ok || line.value.end) return;
    await transcript.begin();
    await runTurn({ ...parts, transcript, tokens, line: line.value.line });
  }
}

async function runTurn(parts: TurnParts): Promise<void> {
  const over = new AbortController();
  const remark = await new TurnRun(parts, interruptOf(parts, over.signal)).run();
  over.abort();
  for (const text of [...parts.transcript.takeRemarks(), ...(remark === undefined ? [] : [remark])]) {
    await parts.terminal.call(Terminal.methods.write, { text: `${text}\n`, speaker: "runner" });
  }
}

/** Returns a signal that fires if the person presses Ctrl-C before the turn ends. */
function interruptOf({ terminal }: LoopParts, over: AbortSignal): AbortSignal {
  const interrupt = new AbortController();
  const pressed = terminal.call(Terminal.methods.awaitInterrupt, {}, { signal: over });
  void pressed.then((reply) => {
    if (reply.ok) interrupt.abort();
  });
  return interrupt.signal;
}
