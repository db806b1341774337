import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const ranged = (label: string) =>
  renderFactsPage({
    top: "compartments { hr, pay }",
    services: `service notes : Files { state 1 MiB  label ${label} }`,
  });
const starting = (words: string, rest = "") =>
  renderFactsPage({
    top: "compartments { hr, pay }",
    backends: "backend canned { stub  clearance secret:{hr, pay} }",
    sessions: `session operator { kind operator  ${words}  models { auto canned }  permit { auto readOnly } } ${rest}`,
  });

expectRefused("label-out-of-order", {
  "a level": ranged("internal .. «public»"),
  "a compartment": ranged("internal:{hr} .. «secret:{pay}»"),
  "trust that grows": ranged("public/untrusted .. «secret/reviewed»"),
  "what a method returns": renderFactsPage({
    top: "interface Board { method post : mutatingLocal  returns secret .. «public»  method wipe : destructive }",
    services: "service board : Board { label public .. secret }",
    permit: "consent board.*",
    backends: "backend canned { stub  clearance secret }",
    rest: "image { target linux  machine vm  boot operator }",
  }),
});

expectAccepted("label-out-of-order, kept", {
  "the same at both ends": ranged("public/reviewed .. public/reviewed"),
  "more secret and less trusted": ranged("public/system .. internal:{hr}/untrusted"),
  "trust at one end alone": ranged("public .. public/system"),
  "trust at the other end alone": ranged("public/untrusted .. public"),
});

expectRefused("starts-above-clearance", {
  "a level": starting("clearance internal  starts «secret»"),
  "a compartment": starting("clearance secret:{hr}  starts «public:{pay}»"),
  "where nothing is cleared": starting("starts «internal»"),
  "an abstract session of the page": starting(
    "",
    "abstract session base { kind operator  models { auto canned }  permit { auto readOnly }  starts «internal» }",
  ),
});

expectAccepted("starts-above-clearance, kept", {
  "just what is cleared": starting("clearance internal:{hr}  starts internal:{hr}"),
  "trusted more than is asked for": starting("clearance internal  starts public/system"),
});

expectUnsaid(
  "starts-above-clearance",
  {
    "where the clearance may have been lost": starting("clearanc internal  starts internal"),
    "where the clearance of the session that it is built on may have been lost": starting("starts internal").replace(
      "session operator {",
      "abstract session base { clearanc internal }  session operator extends base {",
    ),
    "of a session that was cut off in a file of its own": renderFactsPage({ top: 'use "night.cap"' }),
  },
  { "/night.cap": "session night { starts internal  models { auto } }" },
);
