// The gate on its connections: it serves ToolProxy to the loop and Session to the console, and asks people through
// Approval of the console.
import type { Duplex } from "node:stream";
import { Approval, Session, ToolProxy } from "../../lib/wire/generated/wire.ts";
import { type Connection, implement, makeFailure, type Serving, serveInterface } from "../../lib/wire/index.ts";
import { Announcements } from "./announcements.ts";
import { answerCommand, type CommandParts, describeVocabulary } from "./commands/index.ts";
import type { Gate } from "./gate.ts";
import type { Plans } from "./plans.ts";
import { NEIGHBOUR_MS, type Person } from "./ports.ts";
import { describeLocked, explainClosed } from "./sentences.ts";
import { findPieceFault } from "./sources.ts";
import { Standings } from "./standing.ts";
import { implementWorker, type Work } from "./work.ts";

/** Milliseconds for which the gate still waits for an answer after the console's time limit for the question. */
const ASK_GRACE_MS = 10_000;

/** Serves only the interface that was granted. Records a peer that breaks the rules of its connection. */
export function serveGate(stream: Duplex, interfaceId: bigint, parts: CommandParts): Serving {
  const serving = serveInterface(stream, [
    interfaceId === Session.id ? implementSession(parts) : implementToolProxy(parts.gate),
  ]);
  return noteCutOff(serving, parts.gate);
}

/** Serves a process that executes action plans in the session's name. */
export function servePlans(stream: Duplex, plans: Plans): Serving {
  return noteCutOff(plans.serve(stream), plans.gate);
}

/** Serves the host, which begins and ends the tasks of a worker. */
export function serveWorker(stream: Duplex, work: Work, gate: Gate): Serving {
  return noteCutOff(serveInterface(stream, [implementWorker(work)]), gate);
}

function noteCutOff(serving: Serving, gate: Gate): Serving {
  void serving.closed.then(({ fault, reason }) => fault && gate.note("cut off", reason));
  return serving;
}

function implementToolProxy(gate: Gate) {
  return implement(ToolProxy, {
    describeTools: async ({ conversation }) => {
      const described = await gate.offering.describe(conversation);
      return described.ok ? described.value : makeFailure("failed", described.reason);
    },
    invokeTool: async ({ conversation, turn, snapshot, call }, { cancel }) => {
      const fault = gate.calls.findFault(call);
      if (fault !== undefined) return makeFailure("malformed", fault);
      return { result: await gate.loopCalls.invoke({ conversation, turn, snapshot, call }, cancel) };
    },
    invokeStruct: async (proposed, { cancel }) => {
      const fault = gate.calls.findFault(proposed.call);
      if (fault !== undefined) return makeFailure("malformed", fault);
      return { result: await gate.loopCalls.invokeStruct(proposed, cancel) };
    },
    cancelTurn: async ({ conversation, turn }) => {
      gate.loopCalls.cancelTurn(conversation, turn);
      return {};
    },
  });
}

function implementSession(parts: CommandParts) {
  const standings = new Standings(parts.gate);
  return implement(Session, {
    command: async ({ name, argument, isPasted }, { signal }) => {
      const entry = isPasted ? "pasted" : "typed";
      return { lines: await answerCommand({ ...parts, entry }, name, argument, signal) };
    },
    beginTurn: async ({ said, pieces }) => {
      const fault = findPieceFault(said, pieces);
      if (fault !== undefined) return makeFailure("malformed", fault);
      await parts.gate.moves.waitUntilSettled();
      const { seat, parts: own } = parts.gate;
      if (seat.isLocked) return makeFailure("failed", describeLocked(own.session));
      const closed = explainClosed(own.tables, parts.gate.conversation);
      if (closed !== undefined) return makeFailure("failed", closed);
      // Add the typed words to the sources before the turn begins. Answer only after these sources are recorded, before
      // any call can depend on them.
      const heard = parts.gate.hearPieces(pieces);
      const turn = parts.gate.session.beginTurn();
      await heard;
      await parts.archive?.beginTurn(said);
      return { turn };
    },
    vocabulary: async () => await describeVocabulary(parts),
    standing: async () => ({ standing: await standings.describe() }),
  });
}

/** Returns the person at the other end of `console`, which the process `surface` serves. */
export function connectPerson(surface: string, console: Connection): Person {
  const announcements = new Announcements((notice) => console.call(Approval.methods.announce, { notice }));
  return {
    surface,
    ask: async (question, signal) => {
      const options = { signal, timeoutMs: question.timeoutMs + ASK_GRACE_MS };
      const began = performance.now();
      const reply = await console.call(Approval.methods.ask, { question }, options);
      const askedMs = Math.max(1, Math.round(performance.now() - began));
      return reply.ok ? { ...reply.value, askedMs } : undefined;
    },
    announce: (notice) => announcements.add(notice),
    drawn: () => announcements.waitUntilDrawn(),
    lock: async () => {
      announcements.drop();
      await console.call(Approval.methods.lock, {}, { timeoutMs: NEIGHBOUR_MS });
    },
    interrupted: async () => (await console.call(Approval.methods.awaitInterrupt, {})).ok,
  };
}

/**
 * Ends the running call and its turn at each interrupt of the person, whatever the loop does. Returns when no more
 * interrupts can come.
 */
export async function heedInterrupts(person: Person, gate: Gate): Promise<void> {
  while (await person.interrupted()) gate.interrupt();
}
