import { expectAdvised, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const CLEARED = "backend canned { stub  clearance secret }";

function renderWriting(service: string, session: string): string {
  return renderFactsPage({
    services: `${service} { label public/untrusted  state 1 MiB }  service papers : Files { label public/reviewed  state 1 MiB }`,
    sessions: `session operator { kind operator  clearance secret  models { auto canned } ${session} }`,
    backends: CLEARED,
  });
}

function renderSending(service: string, release = ""): string {
  return renderFactsPage({
    top: `network { address dhcp }  ${release}`,
    services: `service ${service} grant HttpEndpoint scope "https://tickets.example.net" }`,
    sessions: `session operator { kind operator  clearance secret  models { auto canned }  permit { consent tickets.post } }`,
    backends: CLEARED,
    rest: "image { target linux  machine vm  boot operator }",
  });
}

const PERMIT = "permit { auto readOnly  consent mutatingLocal }";

expectAdvised("call-once", {
  "the result may not flow to what the method sends": renderSending("«tickets» : HttpEndpoint { label secret "),
  "a floor forbids the tool at the label of its result": renderWriting(
    "service «notes» : Files",
    `${PERMIT}  when integrity <= untrusted { atLeast forbidden notes.write }`,
  ),
  "a result that is no more secret than what is sent": renderSending("tickets : HttpEndpoint { label public "),
  "a release lets the second call go": renderSending(
    "tickets : HttpEndpoint { label secret ",
    'declassify tickets.post from secret to public by consent for operator because "tickets are public"',
  ),
  "a floor about other tools": renderWriting(
    "service notes : Files",
    `${PERMIT}  when integrity <= untrusted { atLeast forbidden papers.write }`,
  ),
  "a floor about some arguments": renderWriting(
    "service notes : Files",
    `${PERMIT}  when integrity <= untrusted { atLeast forbidden notes.write where path under "/a" }`,
  ),
  "a tool that is only read": renderWriting(
    "service notes : Files",
    `${PERMIT}  when integrity <= untrusted { atLeast forbidden notes.read }`,
  ),
  "a tool that nobody may call": renderWriting(
    "service notes : Files",
    "permit { auto readOnly  forbidden mutatingLocal }",
  ),
  "a conversation that begins as low as the result": renderWriting(
    "service notes : Files",
    `starts public/untrusted  ${PERMIT}`,
  ),
});
