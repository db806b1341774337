import { expect, test } from "vitest";
import {
  compilePage,
  expectAccepted,
  expectRefused,
  expectUnsaid,
  renderFactsPage,
} from "../../../dev/fixtures/facts.ts";

const floors = (when: string, permit = "auto readOnly  consent mutatingLocal  forbidden destructive", rest = "") =>
  renderFactsPage({
    top: "compartments { hr, pay }",
    backends: "backend canned { stub  clearance internal:{hr} }",
    sessions: `session operator { kind operator  clearance internal:{hr}  models { auto canned }  permit { ${permit} } ${when} } ${rest}`,
  });

expectRefused("floor-changes-nothing", {
  "what a condition makes stricter at best": floors(
    "when integrity <= untrusted { atLeast consent «notes.write» }",
    'auto readOnly  consent Files.write where path under "/a" else forbidden',
  ),
  "what no line covers": floors("when integrity <= untrusted { atLeast consent «destructive» }", "auto readOnly"),
});

expectAccepted("floor-changes-nothing, kept", {
  "one tool of several": floors("when integrity <= untrusted { atLeast forbidden mutatingLocal, readOnly }"),
  "what a condition leaves looser": floors(
    "when integrity <= untrusted { atLeast consent notes.write }",
    'auto readOnly  auto Files.write where path under "/a" else forbidden',
  ),
  "a stricter mode, in a phase alone": floors(
    "",
    "auto readOnly  consent mutatingLocal",
    `task t in operator { phase look { only readOnly  when integrity <= untrusted { atLeast consent readOnly } }
       phase mend after consent { only notes.* } }`,
  ),
});

expectRefused("rule-never-matches", {
  "of a pattern without a tool floor-changes-nothing says nothing": floors(
    "when integrity <= untrusted { atLeast consent readOnly, «admin» }",
  ),
});

expectRefused("floor-never-reached", {
  "each block once, whatever else it asks for": floors(
    `when «confidentiality >= secret» and unattended { atLeast consent readOnly  atLeast forbidden mutatingLocal }
     when «compartment pay» { atLeast consent readOnly, mutatingLocal }`,
  ),
  "in a worker": floors(
    "",
    "auto readOnly  consent mutatingLocal",
    "worker w in operator { only readOnly  when «confidentiality >= secret» { atLeast consent readOnly } }",
  ),
});

test("floor-never-reached says what is never held, and floor-changes-nothing where", async () => {
  const text = floors(
    `when confidentiality >= secret { atLeast consent readOnly }  when compartment pay { atLeast consent readOnly }
     when integrity <= untrusted { atLeast auto notes.list }`,
  );
  const { diagnostics } = await compilePage(text);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    "no conversation in `operator` ever holds what is `secret`",
    "no conversation in `operator` ever holds what belongs to `pay`",
    "`notes.list` is never looser than `auto` here, with or without this",
  ]);
});

test("floor-never-reached and floor-changes-nothing are not said of part of a session", async () => {
  const { diagnostics } = await compilePage(
    floors("when confidentiality >= secret { atLeast consent readOnly } quot { 5 }"),
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(["syntax"]);
});

expectUnsaid("floor-changes-nothing", {
  "where part of the page was lost": floors("when unattended { atLeast auto notes.list } sessio"),
});
