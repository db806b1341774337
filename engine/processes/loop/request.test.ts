// Tests which texts are sent to a model for counting: only those that its permit covers, and none once another model answers.

import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { accept } from "../../lib/result/result.ts";
import { LanguageModel, TokenStream } from "../../lib/wire/generated/capos.ts";
import { ConversationLog } from "../../lib/wire/generated/conversations.ts";
import { connect, implement, makeFailure, serveInterface } from "../../lib/wire/index.ts";
import { createStubInfo } from "../model/serve.ts";
import { createAssistantSaying, createUserSaying, History, NOTHING_SAID } from "./history.ts";
import { requestFor } from "./request.ts";
import { ModelTokens } from "./tokens.ts";
import { Transcript } from "./transcript.ts";

const unused = async () => makeFailure("failed", "not asked for here");

function connected(served: Parameters<typeof serveInterface>[1]) {
  const [mine, theirs] = duplexPair();
  serveInterface(theirs, served);
  return connect(mine);
}

function store() {
  let last = 0n;
  const append = async ({ sayings }: { readonly sayings: readonly unknown[] }) => {
    last += BigInt(sayings.length);
    return { last };
  };
  const recent = async () => ({ conversation: "a1", sayings: [], summary: NOTHING_SAID, last: 0n });
  return connected([implement(ConversationLog, { append, recent, account: async () => ({}), recall: unused })]);
}

/**
 * Returns a model with a context of 6,000 tokens, which counts one token for each character. `heard` lists the requests
 * to the model, in order.
 */
function countingModel() {
  const heard: string[] = [];
  const info = { ...createStubInfo("small"), contextTokens: 6000, outputTokens: 1000 };
  const chunk = { textDelta: "", toolCallDelta: { index: 0, id: "", name: "", argumentsDelta: "" } };
  const model = connected([
    implement(LanguageModel, {
      info: async () => ({ info }),
      complete: unused,
      stream: async () => ({ stream: null }),
      countTokens: async ({ texts }) => {
        heard.push("counts");
        return { counts: texts.map(({ length }) => length) };
      },
    }),
    implement(TokenStream, { next: async () => ({ chunk, done: true }), cancel: async () => ({}) }),
  ]);
  return { model, heard };
}

test.each([
  { backend: "small", goesOn: true },
  { backend: "large", goesOn: false },
])(
  "after a model wrote a summary, the request continues only if the gate selects this model again; it selects $backend",
  async ({ backend, goesOn }) => {
    const { model, heard } = countingModel();
    const transcript = new Transcript(new History(store()));
    await transcript.begin();
    for (let turn = 1; turn <= 4; turn += 1) {
      await transcript.add(createUserSaying(`line ${turn}`, turn), createAssistantSaying("y".repeat(1500), [], turn));
    }
    await transcript.add(createUserSaying("and now?", 5));
    const offer = { tools: [], snapshot: new Uint8Array(), turn: 5, nonce: Buffer.from("one"), backend: "small" };
    const again = async () => {
      heard.push("again");
      return accept({ ...offer, nonce: Buffer.from("two"), backend });
    };
    const voice = { model, tokens: new ModelTokens(model), transcript };
    const made = await requestFor(voice, offer, again, new AbortController().signal);
    expect(made).toMatchObject({ ok: true, value: { offer: { backend } } });
    expect(heard.slice(0, heard.indexOf("again"))).toContain("counts");
    expect(heard.slice(heard.indexOf("again")).includes("counts")).toBe(goesOn);
    expect(made.ok && made.value.messages.length > 0).toBe(goesOn);
  },
);
