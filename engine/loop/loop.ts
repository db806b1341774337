// The loop of one session: text in, text out. It reads what people, models and tools say and can do nothing by itself:
// it holds the terminal, the model and a gate to propose calls to, and no tool. Nothing that anybody says is a command
// here; the person's own commands never reach it.
import { Terminal } from "../wire/generated/wire.ts";
import { Transcript } from "./transcript.ts";
import { type LoopParts, TurnRun } from "./turn.ts";

/** Takes one line after the other, until the person leaves or the console is gone. */
export async function converse(parts: LoopParts): Promise<void> {
  const transcript = new Transcript();
  for (;;) {
    const line = await parts.terminal.call(Terminal.methods.readLine, {});
    if (!line.ok || line.value.end) return;
    transcript.user(line.value.line);
    await runTurn(parts, transcript);
  }
}

async function runTurn(parts: LoopParts, transcript: Transcript): Promise<void> {
  const over = new AbortController();
  const remark = await new TurnRun(parts, transcript, interruptOf(parts, over.signal)).run();
  over.abort();
  if (remark === undefined) return;
  await parts.terminal.call(Terminal.methods.write, { text: `${remark}\n`, speaker: "runner" });
}

/** Fires when the person presses Ctrl-C before the turn is over. */
function interruptOf({ terminal }: LoopParts, over: AbortSignal): AbortSignal {
  const interrupt = new AbortController();
  const pressed = terminal.call(Terminal.methods.awaitInterrupt, {}, { signal: over });
  void pressed.then((reply) => {
    if (reply.ok) interrupt.abort();
  });
  return interrupt.signal;
}
