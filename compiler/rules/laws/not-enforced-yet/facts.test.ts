import { expect, test } from "vitest";
import { type Diagnostic, isError } from "../../../../lang/diagnostics/index.ts";
import {
  bindModel,
  compilePage,
  expectRefused,
  expectUnsaid,
  type Files,
  renderFactsPage,
} from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";
import type { Model } from "../../../phases/bind/index.ts";
import { resolveSessions } from "../../../phases/policy/index.ts";
import { rule } from "./rule.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const BOARD = "interface Board { method post : readOnly  method wipe : destructive }";
const MODULE = { "/board.js": "export default {};" };
const SESSION = (rest: string) =>
  `session operator { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal } ${rest} }`;

expectRefused(
  "not-enforced-yet",
  {
    "an ingress": [
      renderFactsPage({ rest: `ingress «desk» : mail into operator label public  ${END}` }),
      "the image cannot enforce an ingress yet; leave it out: only the console can send messages to a session",
    ],
    "a quota of a backend for prompts": [
      renderFactsPage({
        backends:
          "backend canned { stub  log required  quota { 3 calls per turn  9 tokens per hour  «3 prompts per turn»  9 calls per day } }",
      }),
      "the image cannot enforce a backend's quota of `prompts` yet; count `calls`, its answers",
    ],
    "a grant of an interface, without a second finding about `sends`": [
      renderFactsPage({
        top: 'interface Board { method post : outboundNet  sends internal  redact "line"  method wipe : destructive }',
        services: 'service board : Board { «grant HttpEndpoint scope "https://a.example"» }',
        permit: "auto board.*",
      }),
      "the image cannot enforce a grant of an interface to a service yet; leave it out, or grant a service",
    ],
    "`sends` of a service without a network grant, beside a service with one": [
      renderFactsPage({
        top: `interface Board { method post : outboundNet  «sends internal»  redact "line"  method wipe : destructive }
            interface Shop { method buy : outboundNet  sends internal }`,
        services: `service board : Board {}  service shop : Shop { «grant HttpEndpoint scope "https://a.example"» }`,
        permit: "auto board.*, shop.*",
      }),
      "the image cannot enforce `sends` above the label of a provider without a network grant yet; write a label that `board`",
      "a grant of an interface to a service",
    ],
    "unsupported engines": [
      renderFactsPage({
        backends: 'backend canned { «gpu» }  backend near { «browser openai "https://a.example"» }',
        sessions: SESSION("").replace("auto canned", "consent near  auto canned"),
      }),
      "the image cannot enforce a `gpu` backend yet; use `stub",
      "a `browser` backend",
    ],
    "a worker": [
      renderFactsPage({ rest: `worker «clerk» in operator { only readOnly }  ${END}` }),
      "the image cannot enforce a worker yet; leave it out",
    ],
    "threads of a backend with canned replies": [
      renderFactsPage({ backends: "backend canned { stub  «threads 2» }" }),
      "the image cannot enforce `threads` of a backend yet; leave it out: canned replies need none",
    ],
    "another target": [
      renderFactsPage({ rest: `image { target «sel4»  machine vm  boot operator }  storage { disk "capos-data" }` }),
      "the image cannot enforce this `target` yet; write `target linux` or ",
    ],
    "a network on a PC": [
      renderFactsPage({
        services: 'service status : HttpEndpoint { grant HttpEndpoint scope "https://a.example" }',
        permit: "consent outboundNet",
        rest: "«network { address dhcp }»  image { target linux  machine pc  boot operator }",
      }),
      "the image cannot enforce a network of a PC yet; write `machine vm`, or leave it out",
    ],
    "a grant of an interface outside of the network, and one to a program": renderFactsPage({
      top: BOARD,
      services: `service past : Memory { «grant Memory» }
      service board : Board { exec "board.js"  «grant HttpEndpoint scope "https://a.example"» }`,
      permit: "auto readOnly",
      rest: `network { address dhcp }  ${END}`,
    }),
    "a model without weights, reported only where it is declared": renderFactsPage({
      top: "model «bare» { tools true }",
      backends: "backend canned { cpu  model bare }",
    }),
    "an embedder that a remote provider runs": [
      renderFactsPage({
        top: 'model mini { served "text-embedding-3-small" }',
        backends: "backend canned { stub  «embedder mini» }",
      }),
      "the image cannot enforce an `embedder` that is not in the machine yet; name a model that has `weights`",
    ],
    "a local backend without a model, a model without weights, and weights without a measurement": [
      renderFactsPage({
        top: 'model good { weights "good.gguf" }  model «bare» { tools true }  model tried { weights "b.gguf"  «accept 85 percent» }',
        backends: "backend «canned» { cpu  threads 2  memory 64 MiB }",
      }),
      "the image cannot enforce a model without `weights` yet; say where they are: `weights",
      "the image cannot enforce `accept` of a model yet; leave it out: nobody has measured these weights",
      "the image cannot enforce a `cpu` backend without a model yet; name one that has weights",
    ],
    "a widened quota in money without prices": [
      renderFactsPage({
        backends: "backend canned { stub }  backend spare { stub }",
        sessions: `session day { kind operator  models { auto canned }  permit { auto readOnly }  quota { «1.00 USD per turn» } }
        session operator extends day {
          widen { models { consent spare }  quota { «2.00 USD per turn» } } because "CHG-1: a second one" }`,
      }),
      "the image cannot enforce a quota of `USD` without prices in it yet; say `price 0.15 USD, 0.60 USD`",
      "a quota of `USD`",
    ],
    "an unsupported proof of a person": [
      renderFactsPage({
        top: 'principal alice { ssh "keys/alice.pub"  «passkey "laptop"»  passphrase "spoken" }',
      }),
      'the image cannot enforce `passkey` yet; write `ssh "keys/NAME.pub"` or `passphrase "NAME"`',
    ],
    "a session that inherits principals, at its name": [
      renderFactsPage({
        top: 'principal alice { ssh "keys/alice.pub" }',
        sessions: `abstract session base { kind operator  principals alice  models { auto canned }  permit { auto readOnly } }
        session operator extends base {}  session «night» extends base {}
        session day extends base { «principals alice» }`,
      }),
      "the image cannot enforce principals of the session `night`, which any person may open, yet; write `login key`",
      "principals of the session `day`",
    ],
    "a quota in money, beside quotas of categories with similar names": renderFactsPage({
      top: "category USDT : mutatingLocal  category AUSD : mutatingLocal  interface Board { method post : USDT  method wipe : AUSD }",
      services: "service board : Board {}  service notes : Files { state 1 MiB }",
      sessions: SESSION("quota { 3 USDT per turn  3 AUSD per turn  «3 USD per turn»  3 tokens per day }"),
    }),
    "a quota per day or per principal without a disk, at each place": [
      renderFactsPage({
        backends: "backend canned { stub  quota { «9 calls per day»  3 calls per hour } }",
        sessions: `session day { kind operator  models { auto canned }  permit { auto readOnly }  quota { «9 calls per day» } }
      session operator extends day {
        quota { «3 tokens per principal» }  widen { quota { «12 calls per day» } } because "CHG-1: more" }
      task triage in operator { quota { «2 prompts per day» }  phase look { quota { «1 calls per principal» } } }`,
        services: "service journal : Logs {}",
        rest: "image { target linux  machine vm  boot operator }",
      }),
      'the image cannot enforce a quota per day without a data disk yet; write `storage { disk "capos-data" }`',
      "a quota per day",
      "a quota per principal without a data disk",
      "a quota per day",
      "a quota per day",
      "a quota per principal",
    ],
    "an unsupported machine, written as a text": [
      renderFactsPage({
        rest: 'storage { disk "capos-data" }  image { target linux  machine «"phone"»  trust sealed  firmware uefi  boot operator }',
      }),
      "the image cannot enforce this `machine` yet; write `machine vm` or `pc`",
    ],
    "remote backends that lack a model, a known dialect, a valid address or a valid name, or have unsupported settings":
      [
        renderFactsPage({
          top: 'model mini { served "gpt-4o-mini" }  model odd { served «"my model"» }  model smol { weights "smol.gguf" }',
          backends: `backend «bare» { remote openai "https://a.example" }
        backend canned { remote «other» "https://a.example"  model mini  «threads 2» }
        backend near { remote ollama «"https://a.example/?x"»  model odd }
        backend «swapped» { remote openai "https://a.example"  model smol }
        backend «local» { cpu  model mini }`,
          sessions: `session operator { kind operator  models { consent bare  consent near  consent swapped  consent local  auto canned }
        permit { auto readOnly  consent mutatingLocal } }`,
          rest: `network { address dhcp }  ${END}`,
        }),
        "the image cannot enforce a model of this name yet; write it as the provider does: letters, digits",
        "the image cannot enforce a `remote` backend without a model yet; say `model NAME` in it",
        "the image cannot enforce the dialect `other` yet; write `remote openai` or `remote ",
        "the image cannot enforce `threads` of a backend yet; leave it out: no part of the image implements it",
        "the image cannot enforce an address of this form yet; write scheme, server and path as they are",
        "the image cannot enforce a `remote` backend of a model that no provider serves yet; say `model NAME` in it",
        "the image cannot enforce a `cpu` backend of a model without `weights` yet; name one that has weights",
      ],
    "a remote backend on a machine without a network": [
      renderFactsPage({
        top: 'model mini { served "gpt-4o-mini" }',
        backends: 'backend «canned» { remote openai "https://a.example"  model mini }',
        rest: `network { address none }  ${END}`,
      }),
      "the image cannot enforce a `remote` backend without a network yet; write `network { address dhcp }`",
    ],
    "a quota in money if some paid backend has no price in that currency": renderFactsPage({
      top: 'model mini { served "gpt-4o-mini"  price 1 EUR }  model plain { served "b" }',
      backends: `backend far { remote openai "https://a.example"  model mini  quota { «5.00 EUR per day» } }
        backend canned { remote openai "https://a.example"  model plain }`,
      sessions: `session operator { kind operator  models { consent far  auto canned }  permit { auto readOnly  consent mutatingLocal }
        quota { «5.00 EUR per day»  «2 USD per turn» } }`,
      rest: `network { address dhcp }  ${END}`,
    }),
  },
  MODULE,
);

test("not-enforced-yet is not reported for a quota of money if each paid backend has a price in the currency of the quota", async () => {
  const { diagnostics } = await compilePage(
    renderFactsPage({
      top: 'model mini { served "gpt-4o-mini"  price 0.15 EUR, 0.60 EUR }',
      backends: `backend far { remote openai "https://a.example"  model mini  quota { 5.00 EUR per day } }  backend canned { stub }`,
      sessions: `session operator { kind operator  models { consent far  auto canned }  permit { auto readOnly  consent mutatingLocal }
        quota { 1.00 EUR per conversation } }`,
      rest: `network { address dhcp }  ${END}`,
    }),
  );
  expect(diagnostics.filter(isError)).toEqual([]);
});

expectRefused(
  "not-enforced-yet",
  {
    "a grant to a program that cannot use it": [
      renderFactsPage({
        top: BOARD,
        services: `service notes : Files { state 1 MiB }  service past : Memory { «grant notes» }
        service served : Board { «grant notes» }
        service board : Board { exec "board.js"  grant notes }`,
      }),
      "the image cannot enforce a grant to a service that is not a JavaScript module yet; provide the service by a JavaScript module",
      "a grant to a service that is not a JavaScript module",
    ],
    "folders that are too long in total": renderFactsPage({
      top: BOARD,
      services: `service notes : Files { state 1 MiB }
        service board : Board { exec "board.js"  grant notes scope "/${"a".repeat(397)}" }
        service other : Board { exec "board.js"  «grant notes scope "/${"a".repeat(195)}", "/${"a".repeat(197)}"» }`,
    }),
    "scopes that no service enforces, and folders of a service of the page": [
      renderFactsPage({
        top: BOARD,
        services: `service notes : Files { state 1 MiB }  service past : Memory {}
        service mine : Files { exec "board.js"  state 1 MiB }
        service board : Board {
          exec "board.js"
          grant notes scope "/reports", «"reports"», "/", «"/a/../b"», «"https://a.example"»
          grant past scope «"/reports"»
          grant mine scope «"/reports"»
        }`,
      }),
      'the image cannot enforce this scope of a grant of another service yet; name a folder: `scope "/reports"`',
      "name a folder",
      "name a folder",
      "leave the scope out, or limit the granted service itself",
      "leave the scope out, or limit the granted service itself",
    ],
    "more folders than a process can receive": [
      renderFactsPage({
        top: BOARD,
        services: `service notes : Files { state 1 MiB }
        service board : Board { exec "board.js"  «grant notes scope "/${"a".repeat(400)}"» }
        ${Array.from({ length: 16 }, (_, index) => `service b${index} : Board { exec "board.js"  ${index === 15 ? "«" : ""}grant notes scope "/b"${index === 15 ? "»" : ""} }`).join("  ")}`,
      }),
      "the image cannot enforce a grant of so many folders yet; name a folder above them, or leave the scope out",
      "a grant of so many folders",
    ],
  },
  MODULE,
);

test("not-enforced-yet reports a grant to a static program and to an MCP server", async () => {
  const { diagnostics } = await compilePage(
    renderFactsPage({
      top: BOARD,
      services: `service notes : Files { state 1 MiB }  service board : Board { exec "board"  grant notes }
        service other : Board { exec "board.mcp.js"  grant notes }  service more : Board { exec "board.mjs"  grant notes }`,
    }),
  );
  const found = diagnostics.filter(({ code }) => code === "not-enforced-yet");
  expect(found.map(({ span }) => span.source.text.slice(span.start - 10, span.start).trim())).toEqual([
    '"board"',
    '.mcp.js"',
  ]);
});

/** Expects that each page can be built without a finding of this law. */
function expectBuilt(pages: Readonly<Record<string, string>>, files: Files = {}): void {
  test.each(Object.entries(pages))("not-enforced-yet is not reported: %s", async (_, text) => {
    const { diagnostics, policy } = await compilePage(text, files);
    expect(diagnostics.filter(isError)).toEqual([]);
    expect(policy).toBeDefined();
  });
}

const each = (count: number, write: (name: string) => string) =>
  Array.from({ length: count }, (_, at) => write(`b${at}`)).join("  ");

expectBuilt(
  {
    "a grant to a program on upstream's kernel": upstreamPage({
      services: `service clock : Clock { exec "clock"  grant kernel.endpoint scope "exported" }
        service journal : Logs { exec "journal"  grant clock scope "as clock" }`,
    }),
    "a grant of a session with the name of a service": renderFactsPage({
      services: `service notes : Files { state 1 MiB }  service plans : ActionPlans { label public/reviewed  grant notes }`,
      sessions: `session operator { kind operator  models { auto canned }  permit { auto ActionPlans.submit } }
        session notes { kind service  permit { auto readOnly  consent mutatingLocal  forbidden destructive }
          suppress ActionPlans.*  quota { 100 calls per hour  12 prompts per hour } }`,
    }),
    "many holders without folders": renderFactsPage({
      top: BOARD,
      services: `service notes : Files { state 1 MiB }  ${each(17, (name) => `service ${name} : Board { exec "board.js"  grant notes }`)}`,
    }),
    "many services with servers": renderFactsPage({
      services: each(
        17,
        (name) => `service ${name} : HttpEndpoint { grant HttpEndpoint scope "https://${name}.example" }`,
      ),
      permit: "consent outboundNet",
      rest: "network { address dhcp }  image { target linux  machine vm  boot operator }",
    }),
    "a PC without a network": renderFactsPage({
      rest: `network { address none }  ${END.replace("machine vm", "machine pc")}`,
    }),
    "a machine written as a text": renderFactsPage({ rest: END.replace("machine vm", 'machine "vm"') }),
    "a clearance of a backend": renderFactsPage({
      backends: "backend canned { stub  clearance secret  log required }",
    }),
    "principals of a session with a login": renderFactsPage({
      top: 'principal alice { ssh "keys/alice.pub" }',
      sessions: `session operator { kind operator  models { auto canned }  permit { auto readOnly } }
        session night { kind operator  principals alice  login key  models { auto canned }  permit { auto readOnly } }`,
    }),
    "a page with only supported constructs": renderFactsPage({
      top: `confidentiality { public < internal < secret }  integrity { untrusted < reviewed < system }
        compartments { hr }  category posting : mutatingLocal
        declassify notes.write from secret to public by consent because "CHG-9: a report is made of it"
        waive trifecta because "CHG-4: the web reader was taken out since"
        assert never call notes.delete
        test "it reads" { as operator  call notes.list { path: "" } expect auto }`,
      backends: "backend canned { stub  clearance secret }",
      sessions: SESSION("clearance secret"),
    }),
  },
  { ...MODULE, ...PROGRAMS },
);

expectUnsaid("not-enforced-yet", {
  "a backend whose engine a syntax error hides": renderFactsPage({ backends: "backend canned { clearance secret }" }),
  "a network without a machine": renderFactsPage({
    rest: "network { address dhcp }  image { target linux  boot operator }",
  }),
  "a network on a page without an image": renderFactsPage({ rest: "network { address dhcp }" }),
  "principals on a page that boots no session": renderFactsPage({
    top: 'principal alice { ssh "keys/alice.pub" }',
    sessions: "session operator { kind operator  principals alice  models { auto canned }  permit { auto readOnly } }",
    rest: "image { target linux  machine vm }",
  }),
});

/** Returns the findings of the law on a page with this many tools. */
function findWith(model: Model, count: number): readonly Diagnostic[] {
  const tools = Array.from({ length: count }, (_, at) => model.tools[at % model.tools.length]).flatMap(
    (tool) => tool ?? [],
  );
  const found: Diagnostic[] = [];
  const page = { trees: [], resolution: resolveSessions(model), provided: new Map(), today: "2026-01-01" };
  rule.check({ ...page, model: { ...model, tools } }, (diagnostic) => found.push(diagnostic));
  return found;
}

test("not-enforced-yet reports more tools than an image supports, at the name of the system", async () => {
  const text = renderFactsPage({});
  const model = await bindModel(text);
  expect(findWith(model, 10_000)).toEqual([]);
  const found = findWith(model, 10_001);
  expect(found.map(({ message, help, span }) => [message, help, text.slice(span.start, span.end)])).toEqual([
    [
      "the image cannot enforce a system of 10001 tools yet",
      "at most 10000 are possible: classify only the methods that you need",
      "sample",
    ],
  ]);
});
