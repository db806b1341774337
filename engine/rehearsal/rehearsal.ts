// The processes of one session in one Node process, over pairs of streams instead of sockets. Everything is the real
// thing but the console and init.
import { type Duplex, duplexPair } from "node:stream";
import { Gate } from "../gate/gate.ts";
import { heedInterrupts, personBehind, serveGate } from "../gate/serve.ts";
import { converse } from "../loop/loop.ts";
import { readReplies } from "../model/replies.ts";
import { serveModel, stubInfo } from "../model/serve.ts";
import { readTables } from "../policy/index.ts";
import { serveFiles } from "../services/files/serve.ts";
import { Files } from "../wire/generated/tools.ts";
import { Approval, Session, Terminal, ToolProxy } from "../wire/generated/wire.ts";
import { type Connection, connect } from "../wire/index.ts";
import { FakeConsole } from "./fake-console.ts";

export interface Stage {
  readonly tables: Uint8Array;
  readonly session: string;
  readonly replies: Uint8Array;
  /** Services of the kind Files by name, each with its directory. */
  readonly files: Readonly<Record<string, string>>;
}

export interface Rehearsal {
  readonly console: FakeConsole;
  readonly gate: Gate;
  /** The console's own capability, for direct commands. */
  readonly command: (name: string, argument?: string) => Promise<readonly string[]>;
  /** A second holder of the gate, as a compromised loop would be one. */
  readonly proxy: Connection;
  /** Resolves when the loop has ended. */
  readonly over: Promise<void>;
}

export function rehearse(stage: Stage): Rehearsal {
  const tables = readTables(stage.tables);
  const replies = readReplies(stage.replies);
  if (!tables.ok || !replies.ok) throw new Error(`the stage is wrong: ${JSON.stringify([tables, replies])}`);
  const screen = new FakeConsole();
  const providers = new Map(
    Object.entries(stage.files).map(([name, root]) => [name, held((end) => serveFiles(end, { root, stateBytes: 0 }))]),
  );
  const person = personBehind(held((end) => screen.serve(end, Approval.id)));
  const model = { id: "stub:sha256-0", backend: "canned" };
  const gate = Gate.open({ tables: tables.value, session: stage.session, person, providers }, model);

  if (gate === undefined) throw new Error(`there is no session ${stage.session}`);
  void heedInterrupts(person, gate);
  const parts = { gate, tables: stage.tables, held: new Map([...providers.keys()].map((name) => [name, Files.id])) };
  const session = held((end) => serveGate(end, Session.id, parts));
  screen.beginTurn = () => session.call(Session.methods.beginTurn, {});
  const toolProxy = () => held((end) => serveGate(end, ToolProxy.id, parts));
  const over = converse({
    terminal: held((end) => screen.serve(end, Terminal.id)),
    gate: toolProxy(),
    model: held((end) => serveModel(end, { replies: replies.value, info: stubInfo(model.id) })),
    conversation: "main",
  });
  const command = async (name: string, argument = "") => {
    const reply = await session.call(Session.methods.command, { name, argument });
    return reply.ok ? reply.value.lines : [reply.reason];
  };
  return { console: screen, gate, command, proxy: toolProxy(), over };
}

function held(serveEnd: (end: Duplex) => void): Connection {
  const [mine, theirs] = duplexPair();
  serveEnd(theirs);
  return connect(mine);
}
