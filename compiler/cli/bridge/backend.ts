// Opens a backend of a page on this machine, for the bridge. As in an image, the backend serves the interface LanguageModel over a
// connection, and each request needs a permit. The code of the image's programs produces the responses, but it runs in this process.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Duplex, duplexPair } from "node:stream";
import { listRedactions } from "../../../engine/lib/policy/index.ts";
import { parseAddresses } from "../../../engine/lib/reach/address.ts";
import type { Result } from "../../../engine/lib/result/result.ts";
import type { ModelInfo } from "../../../engine/lib/wire/generated/capos.ts";
import { type Connection, connect } from "../../../engine/lib/wire/index.ts";
import { type Dial, dialAddress } from "../../../engine/processes/egress/dial.ts";
import { serveExchange } from "../../../engine/processes/egress/stream.ts";
import { createVault, NO_CREDENTIAL } from "../../../engine/processes/egress/vault.ts";
import { Permits } from "../../../engine/processes/model/permits.ts";
import { OLLAMA } from "../../../engine/processes/model/remote/ollama.ts";
import { OPENAI } from "../../../engine/processes/model/remote/openai.ts";
import { Provider } from "../../../engine/processes/model/remote/provider.ts";
import { serveRemote } from "../../../engine/processes/model/remote/serve.ts";
import { readReplies } from "../../../engine/processes/model/replies.ts";
import { createStubInfo, serveModel } from "../../../engine/processes/model/serve.ts";
import { runAfterMs, Turns } from "../../../engine/processes/model/turns.ts";
import type { BackendPlan, LocalPlan, Policy, RemotePlan, StubPlan } from "../../../targets/contract/policy.ts";
import { listNameServers } from "../../trial/name-servers.ts";

export interface OpenBackend {
  readonly model: Connection;
  readonly permit: (nonce: Uint8Array, mostTokens: number) => void;
  readonly close: () => void;
}

type Serve = (end: Duplex, permits: Permits) => void;

interface Served {
  readonly serve: Serve;
  readonly close: () => void;
}

interface Way {
  /** The private key that opens the page's sealed credentials; without one, no sealed credential is sent. */
  readonly opener: Uint8Array | undefined;
  readonly dial?: Dial;
}

export async function openBackend(
  plan: BackendPlan,
  { secrets, tables }: Pick<Policy, "secrets" | "tables">,
  way: Way,
): Promise<Result<OpenBackend>> {
  const served = await servePlan(plan, secrets, way);
  if (!served.ok) return served;
  const [mine, theirs] = duplexPair();
  const permits = new Permits();
  served.value.serve(theirs, permits);
  const backend = tables.backends.find(({ name }) => name === plan.name);
  const redactions = backend === undefined ? tables.redactions : listRedactions(tables, backend);
  const permit = (nonce: Uint8Array, mostTokens: number) => void permits.allow(nonce, mostTokens, redactions);
  return { ok: true, value: { model: connect(mine), permit, close: served.value.close } };
}

function servePlan(plan: BackendPlan, secrets: Policy["secrets"], way: Way): Promise<Result<Served>> | Result<Served> {
  switch (plan.kind) {
    case "stub":
      return serveStubPlan(plan);
    case "cpu":
      return serveLocalPlan(plan);
    case "remote":
      return serveRemotePlan(plan, secrets, way);
  }
}

function serveStubPlan({ name, replies }: StubPlan): Result<Served> {
  const read = readReplies(replies?.bytes ?? Buffer.from("[]"));
  if (!read.ok) return { ok: false, reason: `the replies of ${name}: ${read.reason}` };
  const model = { replies: read.value, info: createStubInfo(name) };
  return createServed((end, permits) => void serveModel(end, model, permits));
}

/** Runs the model of a backend in this process. The engine and its binaries are loaded only for a backend with a local model. */
async function serveLocalPlan({ name, model }: LocalPlan): Promise<Result<Served>> {
  const [{ openWeights }, { serveLocal }] = await Promise.all([
    import("../../../engine/processes/model/evaluation/weights.ts"),
    import("../../../engine/processes/model/local/serve.ts"),
  ]);
  const folder = mkdtempSync(join(tmpdir(), "capc-bridge-"));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    const decoder = await openWeights(model.file, folder);
    const info = createInfo(name, {
      backend: "local-cpu",
      contextTokens: decoder.contextTokens,
      callsTools: model.callsTools,
    });
    const turns = new Turns();
    return createServed((end, permits) => void serveLocal(end, { decoder, info, turns }, permits), close);
  } catch (error) {
    close();
    return { ok: false, reason: `the backend ${name}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const NANOSECONDS_PER_MS = 1_000_000n;

function serveRemotePlan(
  plan: RemotePlan,
  secrets: Policy["secrets"],
  { opener, dial = dialAddress }: Way,
): Result<Served> {
  const dialect = plan.dialect === OPENAI.name ? OPENAI : OLLAMA;
  const { places, methods, ...limits } = plan.scope;
  const endpoint = { name: plan.name, places: [...places], methods: [...methods], ...limits };
  if (limits.secret !== "" && opener === undefined)
    return {
      ok: false,
      reason: `the backend ${plan.name} needs vault.${limits.secret}: --machine DIR has the key that opens it`,
    };
  const sealed = new Map(secrets.map((secret) => [secret.name, secret]));
  const exit = {
    dial,
    servers: parseAddresses(listNameServers()),
    now: () => Date.now(),
    vault: opener === undefined ? () => ({ ok: true, value: NO_CREDENTIAL }) as const : createVault(sealed, opener),
    underWay: new Set<symbol>(),
  };
  const clock = { now: () => Number(process.hrtime.bigint() / NANOSECONDS_PER_MS), after: runAfterMs };
  const [mine, way] = duplexPair();
  serveExchange(way, endpoint, exit);
  const provider = new Provider(connect(mine), dialect, clock);
  const info = createInfo(plan.name, { ...plan, backend: `remote-${dialect.name}` });
  const model = { info, model: plan.model, dialect, provider, turns: new Turns() };
  return createServed((end, permits) => void serveRemote(end, model, permits));
}

interface Known {
  readonly backend: string;
  readonly contextTokens: number;
  readonly callsTools: boolean;
}

/** Maximum output of one response in tokens. A plan, which is one action with its arguments, needs less. */
const OUTPUT_TOKENS = 1024;

function createInfo(id: string, { backend, contextTokens, callsTools }: Known): ModelInfo {
  const unsaid = { arch: "", quantisation: "" };
  return {
    id,
    displayName: id,
    backend,
    contextTokens,
    outputTokens: OUTPUT_TOKENS,
    supportsTools: callsTools,
    ...unsaid,
  };
}

function createServed(serve: Serve, close = () => {}): Result<Served> {
  return { ok: true, value: { serve, close } };
}
