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
  "a pattern that a condition only makes stricter": floors(
    "when integrity <= untrusted { atLeast consent «notes.write» }",
    'auto readOnly  consent Files.write where path under "/a" else forbidden',
  ),
  "a tool without a line": floors("when integrity <= untrusted { atLeast consent «destructive» }", "auto readOnly"),
});

expectAccepted("floor-changes-nothing, kept", {
  "one tool of several": floors("when integrity <= untrusted { atLeast forbidden mutatingLocal, readOnly }"),
  "a tool that a condition makes looser": floors(
    "when integrity <= untrusted { atLeast consent notes.write }",
    'auto readOnly  auto Files.write where path under "/a" else forbidden',
  ),
  "a mode that is stricter only in a phase": floors(
    "",
    "auto readOnly  consent mutatingLocal",
    `task t in operator { phase look { only readOnly  when integrity <= untrusted { atLeast consent readOnly } }
       phase mend after consent { only notes.* } }`,
  ),
});

expectRefused("rule-never-matches", {
  "a pattern without tools, which floor-changes-nothing does not report": floors(
    "when integrity <= untrusted { atLeast consent readOnly, «admin» }",
  ),
});

expectRefused("floor-never-reached", {
  "each unreachable block once, with any other condition": floors(
    `when «confidentiality >= secret» and unattended { atLeast consent readOnly  atLeast forbidden mutatingLocal }
     when «compartment pay» { atLeast consent readOnly, mutatingLocal }`,
  ),
  "a floor in a worker": floors(
    "",
    "auto readOnly  consent mutatingLocal",
    "worker w in operator { only readOnly  when «confidentiality >= secret» { atLeast consent readOnly } }",
  ),
});

test("floor-never-reached names the label, and floor-changes-nothing names the tool", async () => {
  const text = floors(
    `when confidentiality >= secret { atLeast consent readOnly }  when compartment pay { atLeast consent readOnly }
     when integrity <= untrusted { atLeast auto notes.list }`,
  );
  const { diagnostics } = await compilePage(text);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    "no conversation in `operator` can read data at or above `secret`",
    "no conversation in `operator` can read data of the compartment `pay`",
    "no call of `notes.list` has a looser mode than `auto` here, even without this floor",
  ]);
});

test("floor-never-reached and floor-changes-nothing are not reported for a session with a syntax error", async () => {
  const { diagnostics } = await compilePage(
    floors("when confidentiality >= secret { atLeast consent readOnly } quot { 5 }"),
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(["syntax"]);
});

expectUnsaid("floor-changes-nothing", {
  "a syntax error in the page": floors("when unattended { atLeast auto notes.list } sessio"),
});
