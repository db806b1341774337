// The gate on its connections: ToolProxy for the loop, Session for the console, Approval towards the console.
import type { Duplex } from "node:stream";
import { Approval, Session, ToolProxy } from "../wire/generated/wire.ts";
import { type Connection, failure, implement, type Serving, serveInterface } from "../wire/index.ts";
import { answerCommand, type CommandParts } from "./commands.ts";
import { ASK_TIMEOUT_MS, type Gate } from "./gate.ts";
import type { Person } from "./ports.ts";

/** The console keeps the time of a question; this much later the gate no longer believes in an answer. */
const ASK_GRACE_MS = 10_000;

/** Serves the interface that was granted, and no other. */
export function serveGate(stream: Duplex, interfaceId: bigint, parts: CommandParts): Serving {
  return serveInterface(stream, [interfaceId === Session.id ? session(parts) : toolProxy(parts.gate)]);
}

function toolProxy(gate: Gate) {
  return implement(ToolProxy, {
    describeTools: async ({ conversation }) =>
      gate.describe(conversation) ?? failure("failed", "this gate keeps one conversation, and it is another"),
    invokeTool: async ({ conversation, turn, snapshot, call }, { signal }) => ({
      result: await gate.invoke(conversation, turn, snapshot, call, signal),
    }),
    cancelTurn: async ({ conversation, turn }) => {
      gate.cancelTurn(conversation, turn);
      return {};
    },
  });
}

function session(parts: CommandParts) {
  return implement(Session, {
    command: async ({ name, argument }, { signal }) => ({ lines: await answerCommand(parts, name, argument, signal) }),
    beginTurn: async () => ({ turn: parts.gate.beginTurn() }),
  });
}

export function personBehind(console: Connection): Person {
  return {
    ask: async (question, signal) => {
      const options = { signal, timeoutMs: ASK_TIMEOUT_MS + ASK_GRACE_MS };
      const reply = await console.call(Approval.methods.ask, { question }, options);
      return reply.ok ? reply.value.answer : undefined;
    },
    announce: (notice) => void console.call(Approval.methods.announce, { notice }),
  };
}
