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
  "a more trusted upper bound": ranged("public/untrusted .. «secret/reviewed»"),
  "the range that a method returns": renderFactsPage({
    top: "interface Board { method post : mutatingLocal  returns secret .. «public»  method wipe : destructive }",
    services: "service board : Board { label public .. secret }",
    permit: "consent board.*",
    backends: "backend canned { stub  clearance secret }",
    rest: "image { target linux  machine vm  boot operator }",
  }),
});

expectAccepted("label-out-of-order, kept", {
  "the same label at both ends": ranged("public/reviewed .. public/reviewed"),
  "a more secret and less trusted upper bound": ranged("public/system .. internal:{hr}/untrusted"),
  "trust at the upper bound only": ranged("public .. public/system"),
  "trust at the lower bound only": ranged("public/untrusted .. public"),
});

expectRefused("starts-above-clearance", {
  "a level": starting("clearance internal  starts «secret»"),
  "a compartment": starting("clearance secret:{hr}  starts «public:{pay}»"),
  "a session without clearance": starting("starts «internal»"),
  "an abstract session of the page": starting(
    "",
    "abstract session base { kind operator  models { auto canned }  permit { auto readOnly }  starts «internal» }",
  ),
});

expectAccepted("starts-above-clearance, kept", {
  "a start at exactly the clearance": starting("clearance internal:{hr}  starts internal:{hr}"),
  "a start with more trust than required": starting("clearance internal  starts public/system"),
});

expectUnsaid(
  "starts-above-clearance",
  {
    "a clearance that a syntax error may hide": starting("clearanc internal  starts internal"),
    "an inherited clearance that a syntax error may hide": starting("starts internal").replace(
      "session operator {",
      "abstract session base { clearanc internal }  session operator extends base {",
    ),
    "a session with a syntax error in another file": renderFactsPage({ top: 'use "night.cap"' }),
  },
  { "/night.cap": "session night { starts internal  models { auto } }" },
);
