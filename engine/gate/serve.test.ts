// The gate towards a console that is busy with somebody else's question: it draws nothing then, and answers nothing.
import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { Approval, type Notice, type Question } from "../wire/generated/wire.ts";
import { connect, implement, serveInterface } from "../wire/index.ts";
import { personBehind } from "./serve.ts";

const QUESTION: Question = {
  tool: "notes.write",
  arguments: "{}",
  sentence: "",
  mode: "consent",
  rule: "",
  timeoutMs: 1000,
  challenge: "",
  mayRemember: false,
  remembers: "",
  isLogin: false,
  passphrase: { salt: new Uint8Array(), newSalt: new Uint8Array() },
};
const never = new AbortController().signal;

function notice(tool: string): Notice {
  return {
    tool,
    arguments: "{}",
    mode: "auto",
    stage: "finished",
    outcome: "ok",
    detail: "",
    hasMode: true,
    result: "",
  };
}

/** A console that draws no notice before it is free, and answers every question with yes. */
function busyConsole() {
  const [mine, theirs] = duplexPair();
  const drawn: string[] = [];
  const free = Promise.withResolvers<void>();
  serveInterface(theirs, [
    implement(Approval, {
      ask: async () => ({ answer: "granted", signature: "" }),
      announce: async ({ notice: { tool } }) => {
        await free.promise;
        drawn.push(tool);
        return {};
      },
      awaitInterrupt: () => new Promise(() => {}),
      lock: async () => ({}),
    }),
  ]);
  return { person: personBehind(connect(mine)), drawn, free: () => free.resolve() };
}

test("notices that nobody draws yet hold up neither a question nor Ctrl-C, and are drawn in order at last", async () => {
  const { person, drawn, free } = busyConsole();
  void person.interrupted();
  const tools = Array.from({ length: 100 }, (_, index) => `notes.${index}`);
  for (const tool of tools) person.announce(notice(tool));
  expect(await person.ask(QUESTION, never)).toEqual({ answer: "granted", signature: "" });
  expect(drawn).toEqual([]);
  free();
  person.announce(notice("last"));
  await person.drawn();
  expect(drawn).toEqual([...tools, "last"]);
});

test("of more notices than are kept the oldest are not drawn", async () => {
  const { person, drawn, free } = busyConsole();
  for (let index = 0; index < 1000; index += 1) person.announce(notice(String(index)));
  await person.ask(QUESTION, never);
  free();
  await person.drawn();
  expect(drawn).toEqual([0, 1, 2, 3, ...Array.from({ length: 128 }, (_, index) => 872 + index)].map(String));
});
