// Runs the worker of a remote model, which connects one endpoint of egress with the holders of its LanguageModel. The worker has
// no access to a session, a tool, a file or a credential, and no network of its own; the endpoint adds the credential.

import { parseArgs } from "node:util";
import type { Program } from "../../../lib/wire/program.ts";
import { serveSessions } from "../metering.ts";
import { runAfterMs, Turns } from "../turns.ts";
import type { Dialect } from "./dialect.ts";
import { OLLAMA } from "./ollama.ts";
import { OPENAI } from "./openai.ts";
import { Provider } from "./provider.ts";
import { serveRemote } from "./serve.ts";

const OPTIONS = {
  id: { type: "string", default: "" },
  dialect: { type: "string", default: "" },
  model: { type: "string", default: "" },
  /** Name of the grant through which this process reaches its endpoint of egress. */
  endpoint: { type: "string", default: "" },
  context: { type: "string", default: "0" },
  tools: { type: "boolean", default: false },
} as const;

/** Maximum length of one answer in tokens; a loop requests less. */
const OUTPUT_TOKENS = 4096;
const NANOSECONDS_PER_MS = 1_000_000n;

export const runRemote: Program = (capset, { words, giveUp }) => {
  const { values } = parseArgs({ args: [...words], options: OPTIONS });
  const dialect: Dialect | undefined = [OPENAI, OLLAMA].find(({ name }) => name === values.dialect);
  if (dialect === undefined) return giveUp(`nothing here speaks ${values.dialect}`);
  const info = {
    id: values.id,
    displayName: values.model,
    arch: "",
    contextTokens: Number(values.context),
    outputTokens: OUTPUT_TOKENS,
    backend: `remote-${dialect.name}`,
    quantisation: "",
    supportsTools: values.tools,
  };
  // The clock is CLOCK_MONOTONIC, which on Linux starts at boot.
  const clock = { now: () => Number(process.hrtime.bigint() / NANOSECONDS_PER_MS), after: runAfterMs };
  const provider = new Provider(capset.connection(values.endpoint), dialect, clock);
  const model = { info, model: values.model, dialect, provider, turns: new Turns() };
  serveSessions(capset, (stream, permits) => serveRemote(stream, model, permits));
  capset.ready();
};
