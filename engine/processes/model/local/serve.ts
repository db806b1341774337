// Serves a model in the machine as LanguageModel: checks the limits of requests, and gives requests their turns.

import type { Duplex } from "node:stream";
import type { ChatMessage, ModelInfo, ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
import { Failure, makeFailure, type Serving } from "../../../lib/wire/index.ts";
import type { AnswerSchema } from "../answer-schema.ts";
import { type FittedRequest, isNoted, OpenAnswer, releaseUnasked, serveAnswers, turnFor } from "../answering.ts";
import type { Permit, Permits } from "../permits.ts";
import type { Turns } from "../turns.ts";
import { readPieces, readShaped } from "./answers.ts";
import { renderHead, renderRest } from "./chat.ts";
import type { AnswerGrammar, Decoder, Texts } from "./decoder.ts";
import { buildGrammar, buildSchemaGrammar } from "./grammar/answers.ts";
import { cutAtStop, MOST_STOP_CHARACTERS, MOST_STOPS } from "./stops.ts";

export interface LocalModel {
  readonly decoder: Pick<Decoder, "answer" | "contextTokens" | "tokenize">;
  readonly info: ModelInfo;
  readonly turns: Turns;
}

/** Maximum number of tools: a loop never offers more, and the engine would need a long time for the grammar. */
const MOST_TOOLS = 64;
/** Number of tokens that an answer needs after its prompt. */
const LEAST_ANSWER_TOKENS = 16;

export function serveLocal(stream: Duplex, model: LocalModel, permits: Permits): Serving {
  const answerer = {
    info: model.info,
    mostTools: MOST_TOOLS,
    count: (text: string) => model.decoder.tokenize([{ text, isMark: false }]).length,
    begin: (permit: Permit, req: FittedRequest, signal: AbortSignal) => beginPermitted(model, permit, req, signal),
  };
  return serveAnswers(stream, answerer, permits);
}

async function beginPermitted(
  { decoder, turns, info }: LocalModel,
  permit: Permit,
  req: FittedRequest,
  signal: AbortSignal,
): Promise<OpenAnswer | Failure> {
  const { tools, temperature, stopSequences: stops, schema } = req;
  if (stops.length > MOST_STOPS || !stops.every(isSought))
    return makeFailure(
      "failed",
      `at most ${MOST_STOPS} stops are looked for, of 1 to ${MOST_STOP_CHARACTERS} characters each`,
    );
  const head = decoder.tokenize(renderHead(req.messages, tools));
  const prompt = [...head, ...decoder.tokenize(renderRest(req.messages))];
  const asked = prompt.length;
  const room = decoder.contextTokens - asked;
  if (room < LEAST_ANSWER_TOKENS)
    return makeFailure("failed", `${asked} tokens, of which this model holds ${decoder.contextTokens}`);
  if (!permit.prompt(asked))
    return makeFailure(
      "failed",
      `the prompt has ${asked} tokens, and ${permit.mostTokens} are left of what the page allows`,
    );
  const grammar = grammarFor(tools, req.messages, schema);
  if (grammar instanceof Failure) return grammar;
  const turn = await turnFor(turns, permit, signal);
  if (turn instanceof Failure) return turn;
  const mostTokens = Math.min(req.maxTokens, room, info.outputTokens);
  const most = { promptTokens: asked, outputTokens: mostTokens };
  if (!(await isNoted(turn, permit, most))) return releaseUnasked(turn, permit);
  const decoding = { prompt, head: head.length, mostTokens, temperature, ...grammar };
  const decodeTexts = (stop: AbortSignal) => decoder.answer(decoding, stop);
  const mayCall = tools.length > 0;
  const called = mayCall ? "callable" : "none";
  return new OpenAnswer(turn, permit, (stop) => {
    const texts = countTexts(decodeTexts(stop), permit);
    return schema === undefined ? readPieces(cutAtStop(texts, { stops, mayCall }), called) : readShaped(texts, called);
  });
}

/** Returns the grammar that constrains an answer, `undefined` for plain text. Fails for a schema without a grammar. */
function grammarFor(
  tools: readonly ToolDescriptor[],
  messages: readonly ChatMessage[],
  schema: AnswerSchema | undefined,
): { readonly grammar?: AnswerGrammar } | Failure {
  if (schema !== undefined) {
    const grammar = buildSchemaGrammar(schema.json, tools, messages);
    if (grammar !== undefined) return { grammar };
    const reason = "it has a member `name` beside tools, or more than this model's grammar holds";
    return makeFailure("failed", `responseSchema is not supported: ${reason}`);
  }
  return tools.length === 0 ? {} : { grammar: buildGrammar(tools, messages) };
}

const isSought = (stop: string): boolean => stop !== "" && stop.length <= MOST_STOP_CHARACTERS;

/** Yields texts of one token each, as long as the permit allows them. */
async function* countTexts(texts: Texts, permit: Permit): Texts {
  try {
    for (;;) {
      const next = await texts.next();
      if (next.done === true) return next.value;
      if (!permit.output(1)) return "stopped";
      yield next.value;
    }
  } finally {
    await texts.return("stopped");
  }
}
