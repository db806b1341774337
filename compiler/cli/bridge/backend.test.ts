// Tests `capc bridge`: another kernel requests a plan, and each kind of backend that a page can name answers. These are
// canned replies, local weights in the engine of the image, and a remote provider. The provider implements the API of
// OpenAI or of Ollama and is reached through the image's egress process.

import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openConversation } from "../../../engine/lib/policy/index.ts";
import { parseResponse, respond } from "../../../engine/outside/bridge/index.ts";
import type { Dial } from "../../../engine/processes/egress/dial.ts";
import type { BackendPlan } from "../../../targets/contract/policy.ts";
import { compile } from "../../compile.ts";
import { type ProviderDialect, providerAnswer } from "../../machine/model-server.ts";
import { indexPolicyTables, type Policy } from "../../phases/policy/index.ts";
import { createDiskHost } from "../../phases/source/index.ts";
import { openBackend } from "./backend.ts";

const FIXTURE = fileURLToPath(new URL("../../../engine/outside/bridge/testing/", import.meta.url));
const TINY = fileURLToPath(new URL("../../../examples/offline-agent/models/tiny.gguf", import.meta.url));
const ALLOWED = ["list_files", "read_file", "delete_file"] as const;
const NEVER = new AbortController().signal;

let folder: string;
let servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-bridge-test-"));
  for (const name of readdirSync(FIXTURE)) copyFileSync(join(FIXTURE, name), join(folder, name));
});
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
  rmSync(folder, { recursive: true });
});

/**
 * Returns the policy of the fixture's page after `backend` is declared and replaces the operator's backend. The guest keeps its backend,
 * because a guest may use no remote backend.
 */
async function policyWith(backend: string, rest = ""): Promise<Policy> {
  const page = readFileSync(join(FIXTURE, "system.cap"), "utf8")
    .replace("backend canned", (first) => `${backend}\n  ${first}`)
    .replace("auto canned", backend === "" ? "auto canned" : "auto other")
    .replace("image {", `${rest}\n  image {`);
  writeFileSync(join(folder, "system.cap"), page);
  const { policy, diagnostics } = await compile(createDiskHost("2026-01-01"), join(folder, "system.cap"));
  if (policy === undefined) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return policy;
}

/**
 * Returns the plan with which the bridge responds to an input, such as the action `read_file` with the argument
 * `notes`. Fails if the plan is invalid in the protocol, because the bridge must send a valid plan whatever the backend
 * returns.
 */
async function planned(policy: Policy, kind: BackendPlan["kind"], input: string, dial?: Dial) {
  const tables = indexPolicyTables(policy);
  const plan = policy.backends.find((backend) => backend.kind === kind);
  const conversation = openConversation(tables, "operator");
  if (plan === undefined || conversation === undefined) throw new Error("the fixture is broken");
  const opened = await openBackend(plan, policy, { opener: undefined, ...(dial && { dial }) });
  if (!opened.ok) throw new Error(opened.reason);
  const { close, ...backend } = opened.value;
  try {
    const request = Buffer.from(JSON.stringify({ input, allowedActions: ALLOWED }));
    const response = await respond({ tables, conversation, ...backend }, request, NEVER);
    const judged = parseResponse(response, { allowedActions: ALLOWED });
    if (!judged.ok) throw new Error(judged.reason);
    return judged.value;
  } finally {
    backend.model.close();
    close();
  }
}

const READ_NOTES = { intent: "read_file", action: "read_file", args: ["notes"], risk: "safe" };

test("stub: the response is the plan in the canned reply", async () => {
  expect(await planned(await policyWith(""), "stub", "read notes")).toEqual(READ_NOTES);
});

test("local: local weights answer in this process, deterministically, and leave no files behind", async () => {
  copyFileSync(TINY, join(folder, "tiny.gguf"));
  const model = 'model tiny { weights "tiny.gguf"  arch llama  context 2048 tokens  tools true }';
  const policy = await policyWith(`${model}\n  backend other { cpu  model tiny  threads 1  memory 512 MiB }`);
  const ours = () => readdirSync(tmpdir()).filter((name) => /^capc-bridge-(?!test-)/.test(name));
  const before = ours();
  const [first, again] = [
    await planned(policy, "cpu", "show me the files"),
    await planned(policy, "cpu", "show me the files"),
  ];
  // These weights are too small to be useful. The model may call a tool or print nonsense, but each run must give the
  // same result.
  expect(again).toEqual(first);
  expect(first.explanation ?? "").not.toMatch(/^the (planner|request|model|plan) /);
  expect(first.action === "unknown" ? first.explanation : "a call").not.toBe("");
  expect(ours()).toEqual(before);
});

test("local: a file that does not hold weights is refused with the name of its backend", async () => {
  copyFileSync(TINY, join(folder, "tiny.gguf"));
  const model = 'model tiny { weights "tiny.gguf"  arch llama  context 2048 tokens  tools true }';
  const policy = await policyWith(`${model}\n  backend other { cpu  model tiny  threads 1  memory 512 MiB }`);
  writeFileSync(join(folder, "tiny.gguf"), "no weights");
  await expect(planned(policy, "cpu", "read notes")).rejects.toThrow(/^the backend other: /);
});

type Answering = (request: IncomingMessage, body: string, response: ServerResponse) => void;

/**
 * Starts a provider on this machine. Requests go to this provider, not to the address on the page. `asked` lists the
 * requests that it received.
 */
async function provider(answer: Answering) {
  const asked: { readonly path: string; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    asked.push({ path: request.url ?? "", body });
    answer(request, body, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = server.address();
  const port = typeof at === "object" && at !== null ? at.port : 0;
  const dialled: string[] = [];
  const dial: Dial = (address, wanted) => {
    dialled.push(`${address.join(".")}:${wanted}`);
    return connect(port, "127.0.0.1");
  };
  return { asked, dialled, dial };
}

const replies = readFileSync(join(FIXTURE, "replies.json"), "utf8");

const speaking =
  (dialect: ProviderDialect): Answering =>
  (_, body, response) => {
    const told = providerAnswer(dialect, replies, body);
    response.writeHead(told.status, told.headers);
    response.end(told.pieces.join(""));
  };

const remotePage = (dialect: ProviderDialect) =>
  policyWith(
    `model mini { served "mini"  context 32k tokens  tools true }
  backend other { remote ${dialect} "http://10.0.2.80${dialect === "openai" ? "/v1" : ""}"  model mini  clearance secret }`,
    "network { address dhcp }",
  );

test.each([
  ["openai", "/v1/chat/completions"],
  ["ollama", "/api/chat"],
] as const)(
  "remote: a provider with the API of %s receives requests at the path %s, and only at the address on the page",
  async (dialect, path) => {
    const far = await provider(speaking(dialect));
    const policy = await remotePage(dialect);
    expect(await planned(policy, "remote", "read notes", far.dial)).toEqual(READ_NOTES);
    expect(await planned(policy, "remote", "delete notes", far.dial)).toMatchObject({
      action: "delete_file",
      risk: "risky",
    });
    expect(far.dialled).toEqual(Array(2).fill("10.0.2.80:80"));
    expect(far.asked.map((request) => request.path)).toEqual([path, path]);
    // The request to the provider contains the tools that both the kernel and the page allow, under the protocol's
    // names.
    const { tools } = JSON.parse(far.asked[0]?.body ?? "");
    expect(tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual(
      ALLOWED.slice(0, 2).concat("delete_file"),
    );
  },
);

const sends =
  (status: number, body: string, type = "text/event-stream"): Answering =>
  (_, __, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(body);
  };
const called = (name: string, args: string) =>
  `data: ${JSON.stringify({
    choices: [
      {
        index: 0,
        delta: { tool_calls: [{ index: 0, id: "1", type: "function", function: { name, arguments: args } }] },
        finish_reason: "tool_calls",
      },
    ],
  })}\n\ndata: [DONE]\n\n`;

test.each([
  ["an action that was not advertised", sends(200, called("show_history", "{}"))],
  ["a shell", sends(200, called("shell", '{"command":"rm -rf /"}'))],
  ["malformed arguments", sends(200, called("read_file", "notes; rm -rf /"))],
  ["a field that a plan does not have", sends(200, called("read_file", '{"name":"notes","argv":["sh"]}'))],
  ["a name that is too long", sends(200, called("read_file", '{"name":"seventeen-letters"}'))],
  ["an error instead of a response", sends(500, "broken")],
  ["an HTML page", sends(200, "<html>rm -rf /</html>", "text/html")],
  ["half a response", sends(200, called("read_file", '{"name":"no').slice(0, -20))],
])("remote: the plan from a provider that sends %s is not executed", async (_, answer) => {
  const far = await provider(answer);
  const plan = await planned(await remotePage("openai"), "remote", "read notes", far.dial);
  expect(plan).toMatchObject({ intent: "unknown", action: "unknown", args: [], risk: "safe" });
  expect(plan.explanation).not.toBe("");
  expect(far.asked.length).toBeGreaterThan(0);
});

test("remote: a start without the key that opens a sealed credential fails and names the credential", async () => {
  const policy = await remotePage("openai");
  const plan = policy.backends.find(({ kind }) => kind === "remote");
  if (plan?.kind !== "remote") throw new Error("the fixture is broken");
  const sealed = { ...plan, scope: { ...plan.scope, secret: "provider" } };
  expect(await openBackend(sealed, policy, { opener: undefined })).toEqual({
    ok: false,
    reason: "the backend other needs vault.provider: --machine DIR has the key that opens it",
  });
});
