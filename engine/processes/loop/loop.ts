// The loop of one session: text in, text out. The loop reads text of people, models and tools, and can do nothing by
// itself. The loop holds the terminal, the model and a gate to which it proposes calls, but no tool. No text is a
// command here; the person's own commands never reach the loop.
import { Terminal } from "../../lib/wire/generated/wire.ts";
import { History } from "./history.ts";
import type { LoopParts, TurnParts } from "./parts.ts";
import { ModelTokens } from "./tokens.ts";
import { Transcript } from "./transcript.ts";
import { TurnRun } from "./turn.ts";

/** Handles one line after the other, until the person leaves or the console disconnects. */
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

/** Returns a signal that fires when the person presses Ctrl-C before the turn is over. */
function interruptOf({ terminal }: LoopParts, over: AbortSignal): AbortSignal {
  const interrupt = new AbortController();
  const pressed = terminal.call(Terminal.methods.awaitInterrupt, {}, { signal: over });
  void pressed.then((reply) => {
    if (reply.ok) interrupt.abort();
  });
  return interrupt.signal;
}
