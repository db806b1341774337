import { expect, test } from "vitest";
import type { GgufHeader } from "../../../engine/lib/weights/gguf.ts";
import {
  bindModel,
  compilePolicy,
  compilePolicyWithoutLaws,
  type Files,
  renderFactsPage,
} from "../../dev/fixtures/facts.ts";
import type { Model } from "../bind/index.ts";
import type { BackendHeads } from "./backends.ts";
import { serializeValue } from "./clauses.ts";
import { IMAGE_PROVIDERS, listTimeLimits, lower, resolveSessions } from "./index.ts";

// Tests the parts of a policy that are not in its tables, and some details of the tables.

const IMAGE = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';

interface Lowered {
  readonly files?: Files;
  readonly change?: (model: Model) => Partial<Model>;
  readonly headsOf?: (model: Model) => BackendHeads;
}

/** Changes the model of a page, and returns its policy. The changed model may have errors that compiler/rules would refuse. */
async function lowerPage(text: string, { files = {}, change = () => ({}), headsOf = () => new Map() }: Lowered = {}) {
  const bound = await bindModel(text, files);
  const model = { ...bound, ...change(bound) };
  const resolution = resolveSessions(model);
  return lower({ model, resolution, provided: IMAGE_PROVIDERS, heads: headsOf(model) }).policy;
}

test("a policy has a network and a log collector only if the page has them", async () => {
  const [without, reached, told] = await Promise.all(
    ["", "network { address dhcp }", 'network { address dhcp  collector "syslog://10.0.2.80:514" }'].map((network) =>
      compilePolicyWithoutLaws(renderFactsPage({ rest: `${network}  ${IMAGE}` })),
    ),
  );
  const parts = [without, reached, told].map((policy) =>
    ["network", "collector", "storage"].filter((part) => policy !== undefined && part in policy),
  );
  expect(parts).toEqual([["storage"], ["network", "storage"], ["network", "collector", "storage"]]);
  expect(reached?.network).toEqual({ which: "dhcp" });
  expect(told?.collector).toMatchObject({ places: [{ scheme: "syslog", host: "10.0.2.80", port: 514 }] });
});

const HEADER: GgufHeader = {
  ...{ arch: "llama", name: "", quantisation: "q4_0", mostNumbers: "q4_0", contextTokens: 8192, tensors: 1 },
  ...{ vocabulary: 1, knowsChatMl: true, reluctance: 0, copying: 0 },
};

test("each session uses the embedder of its first backend that may answer without asking a person, and the list of embedders is sorted and without duplicates", async () => {
  const session = (name: string, models: string) =>
    `session ${name} { kind guest  models { ${models} }  permit { auto readOnly } }`;
  const page = renderFactsPage({
    top: ["one", "two", "unused", "asked"].map((name) => `model ${name} { weights "${name}.gguf" }`).join("  "),
    backends: `backend first { stub  embedder two }  backend second { stub  embedder one }
      backend third { stub  embedder unused }  backend fourth { stub  embedder asked }  backend plain { stub }`,
    sessions: [
      session("operator", "auto first  auto third"),
      session("again", "consent fourth  auto first"),
      session("other", "auto second"),
      session("bare", "auto plain"),
      session("shut", "stepUp fourth"),
    ].join("\n"),
  });
  const head = { file: "/real.gguf", bytes: 1024, header: HEADER };
  const policy = await lowerPage(page, {
    headsOf: ({ backends }) => new Map(backends.flatMap(({ embedder }) => (embedder ? [[embedder, head]] : []))),
  });
  expect(policy.embedders.map(({ model }) => model.name)).toEqual(["one", "two"]);
  const named = policy.tables.backends.map(({ name, embedder }) => [name, embedder]);
  expect(Object.fromEntries(named)).toEqual({
    first: "two",
    second: "one",
    third: "unused",
    fourth: "asked",
    plain: "",
  });
});

test("a page for upstream's kernel has a plan of its programs, and a page for Linux has none", async () => {
  const services = 'service echo : Board { exec "bin/echo"  grant kernel.console }';
  const parts = { top: "interface Board { method post : mutatingLocal }", services };
  const files = { "/bin/echo": new Uint8Array([127]) };
  const rest = 'image { target capos  kernel "boot/kernel"  limine "boot/limine"  boot operator }';
  const { image } = await lowerPage(renderFactsPage({ ...parts, rest }), { files });
  expect(image).toMatchObject({ target: "capos", upstream: { services: [{ name: "echo", binary: "echo" }] } });
  const { image: ours } = await lowerPage(renderFactsPage({ ...parts, rest: IMAGE }), { files });
  expect([ours.target, "upstream" in ours]).toEqual(["linux", false]);
});

test("a page without a target is for Linux, and a page without sealed credentials has no secrets", async () => {
  const policy = await compilePolicyWithoutLaws(renderFactsPage({ rest: "image { machine vm  boot operator }" }));
  expect([policy.image.target, policy.secrets]).toEqual(["linux", []]);
});

test("a page that breaks a law, but was not refused, is reported as a defect of capc", async () => {
  const page = renderFactsPage({});
  await expect(lowerPage(page, { change: () => ({ system: undefined }) })).rejects.toThrow(
    "capc defect: a policy without a system",
  );
  const boots = "capc defect: a policy without a session that boots";
  await expect(lowerPage(page, { change: () => ({ image: undefined }) })).rejects.toThrow(boots);
  await expect(lowerPage(renderFactsPage({ rest: "image { target linux  machine vm }" }))).rejects.toThrow(boots);
  const entered = renderFactsPage({ rest: `ingress wire : webhook into operator label public  ${IMAGE}` });
  const nowhere = ({ sessions, ingresses }: Model): Partial<Model> => {
    const [operator] = sessions.filter(({ id }) => id === "operator").map((session) => ({ ...session, id: "nobody" }));
    if (operator === undefined) throw new Error("the page has an operator");
    return { ingresses: ingresses.map((one) => ({ ...one, into: { kind: "session", session: operator } })) };
  };
  await expect(lowerPage(entered, { change: nowhere })).rejects.toThrow("capc defect: an ingress wire into no row");
});

test("the login line is a rule of the session that declares it, and each row refers to that rule", async () => {
  const { tables } = await compilePolicy(
    renderFactsPage({
      top: 'principal alice { ssh "keys/alice.pub" }',
      sessions: `abstract session base { kind operator  principals alice  login key  models { auto canned }
          permit { auto readOnly } }
        session operator extends base {}
        session visitor { kind guest  models { auto canned }  permit { auto readOnly } }`,
    }),
  );
  const logins = tables.rows.map(({ login, loginRule }) => [login, login === "none" || tables.rules[loginRule]?.id]);
  expect(logins).toEqual([
    ["key", "base/login key"],
    ["none", true],
  ]);
  expect(tables.rules.map(({ words }) => words)).toContain("login key");
  expect(tables.principals.map(({ name, passphrase }) => [name, passphrase])).toEqual([["alice", ""]]);
});

test("timeouts of a row are listed by scope, and scopes without a timeout are left out", () => {
  const none = { callMs: 0, turnMs: 0, loginMs: 0, idleMs: 0 };
  expect(listTimeLimits(none)).toEqual([]);
  expect(listTimeLimits({ ...none, turnMs: 1, idleMs: 2 })).toEqual([
    ["turn", 1],
    ["idle", 2],
  ]);
  expect(listTimeLimits({ ...none, callMs: 3, loginMs: 4 })).toEqual([
    ["call", 3],
    ["login", 4],
  ]);
});

test("`serializeValue` returns different texts for values that differ only in an integer", () => {
  const [one, two] = [1n, 2n].map((compartments) => serializeValue({ compartments }));
  expect(one).not.toBe(two);
});
