import { expect, test } from "vitest";
import { isError } from "../../../../lang/diagnostics/index.ts";
import { compilePage, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const SESSION = (rest: string) =>
  `session operator { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal } ${rest} }`;

expectRefused("not-enforced-yet", {
  "an ingress": renderFactsPage({ rest: `ingress «desk» : mail into operator label public  ${END}` }),
  "what a backend counts that is neither an answer nor a token": renderFactsPage({
    backends:
      "backend canned { stub  log required  quota { 3 calls per turn  9 tokens per hour  «3 prompts per turn»  9 calls per day } }",
  }),
  "a grant, and no word of what may be sent where there is one": renderFactsPage({
    top: 'interface Board { method post : outboundNet  sends internal  redact "line"  method wipe : destructive }',
    services: 'service board : Board { «grant HttpEndpoint scope "https://a.example"» }',
    permit: "auto board.*",
  }),
  "what may be sent, of a provider that another one's grant does not make a network's": renderFactsPage({
    top: `interface Board { method post : outboundNet  «sends internal»  redact "line"  method wipe : destructive }
            interface Shop { method buy : outboundNet  sends internal }`,
    services: `service board : Board {}  service shop : Shop { «grant HttpEndpoint scope "https://a.example"» }`,
    permit: "auto board.*, shop.*",
  }),
  "an embedder that somebody else runs": renderFactsPage({
    top: 'model mini { served "text-embedding-3-small" }',
    backends: "backend canned { stub  «embedder mini» }",
  }),
  "a model in the machine without one, and one that nobody has measured": renderFactsPage({
    top: 'model good { weights "good.gguf" }  model «bare» { tools true }  model tried { weights "b.gguf"  «accept 85 percent» }',
    backends: "backend «canned» { cpu  threads 2  memory 64 MiB }",
  }),
  "a widened quota of what nobody counts": renderFactsPage({
    backends: "backend canned { stub }  backend spare { stub }",
    sessions: `session day { kind operator  models { auto canned }  permit { auto readOnly }  quota { «1.00 USD per turn» } }
        session operator extends day {
          widen { models { consent spare }  quota { «2.00 USD per turn» } } because "CHG-1: a second one" }`,
  }),
  "a proof of a person that nothing asks for yet": renderFactsPage({
    top: 'principal alice { ssh "keys/alice.pub"  «passkey "laptop"»  passphrase "spoken" }',
  }),
  "a session that inherits principals, at its name": renderFactsPage({
    top: 'principal alice { ssh "keys/alice.pub" }',
    sessions: `abstract session base { kind operator  principals alice  models { auto canned }  permit { auto readOnly } }
        session operator extends base {}  session «night» extends base {}
        session day extends base { «principals alice» }`,
  }),
  "a count of a currency, and none of a category that only looks like one": renderFactsPage({
    top: "category USDT : mutatingLocal  category AUSD : mutatingLocal  interface Board { method post : USDT  method wipe : AUSD }",
    services: "service board : Board {}  service notes : Files { state 1 MiB }",
    sessions: SESSION("quota { 3 USDT per turn  3 AUSD per turn  «3 USD per turn»  3 tokens per day }"),
  }),
  "a count of a day or a principal where there is no disk, wherever it stands": renderFactsPage({
    backends: "backend canned { stub  quota { «9 calls per day»  3 calls per hour } }",
    sessions: `session day { kind operator  models { auto canned }  permit { auto readOnly }  quota { «9 calls per day» } }
      session operator extends day {
        quota { «3 tokens per principal» }  widen { quota { «12 calls per day» } } because "CHG-1: more" }
      task triage in operator { quota { «2 prompts per day» }  phase look { quota { «1 calls per principal» } } }`,
    services: "service journal : Logs {}",
    rest: "image { target linux  machine vm  boot operator }",
  }),
  "an image of another kind, whatever form the word has": renderFactsPage({
    rest: 'storage { disk "capos-data" }  image { target linux  machine «phone»  trust sealed  firmware uefi  boot operator }',
  }),
  "a remote backend without a model, a network, a known dialect, an address or a name, and what nothing in it does":
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
  "a remote backend of a machine that has no network": renderFactsPage({
    top: 'model mini { served "gpt-4o-mini" }',
    backends: 'backend «canned» { remote openai "https://a.example"  model mini }',
    rest: `network { address none }  ${END}`,
  }),
  "money where one who answers has no price in it, or nobody has one": renderFactsPage({
    top: 'model mini { served "gpt-4o-mini"  price 1 EUR }  model plain { served "b" }',
    backends: `backend far { remote openai "https://a.example"  model mini  quota { «5.00 EUR per day» } }
        backend canned { remote openai "https://a.example"  model plain }`,
    sessions: `session operator { kind operator  models { consent far  auto canned }  permit { auto readOnly  consent mutatingLocal }
        quota { «5.00 EUR per day»  «2 USD per turn» } }`,
    rest: `network { address dhcp }  ${END}`,
  }),
});

test("money is counted where everybody who is paid has a price in it", async () => {
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

const BOARD = "interface Board { method post : readOnly  method wipe : destructive }";

expectRefused(
  "not-enforced-yet",
  {
    "a grant that the program could not use": renderFactsPage({
      top: BOARD,
      services: `service notes : Files { state 1 MiB }  service past : Memory { «grant notes» }
        service served : Board { «grant notes» }
        service board : Board { exec "board.js"  grant notes }`,
    }),
    "a scope that nobody would keep, and folders of the image's own files": renderFactsPage({
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
    "more folders than one process is told of": renderFactsPage({
      top: BOARD,
      services: `service notes : Files { state 1 MiB }
        service board : Board { exec "board.js"  «grant notes scope "/${"a".repeat(400)}"» }
        ${Array.from({ length: 16 }, (_, index) => `service b${index} : Board { exec "board.js"  ${index === 15 ? "«" : ""}grant notes scope "/b"${index === 15 ? "»" : ""} }`).join("  ")}`,
    }),
  },
  { "/board.js": "export default {};" },
);
