import { expect, test } from "vitest";
import {
  compilePage,
  expectAccepted,
  expectRefused,
  expectUnsaid,
  renderFactsPage,
} from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const SESSION = (permit: string, rest = "", base = "") =>
  `session operator ${base} { kind operator  models { auto canned }  permit { auto readOnly  ${permit} } ${rest} }`;
const TASK = "task mend in operator { phase look { only readOnly }  phase write after «stepUp» { only notes.* } }";
const KEY = 'principal alice { ssh "keys/alice.pub" }';
const RELEASE = (by: string, whose = "for operator") =>
  renderFactsPage({
    top: `declassify notes.write from internal to public by ${by} ${whose} because "CHG-9: a report"`,
    backends: "backend canned { stub clearance internal }",
    sessions: SESSION("consent notes.write", "clearance internal"),
  });

expectRefused("step-up-without-principal", {
  "a step-up before a phase": renderFactsPage({ sessions: `${SESSION("consent mutatingLocal")} ${TASK}` }),
  "a floor": renderFactsPage({
    sessions: SESSION("auto mutatingLocal", "when integrity <= untrusted { atLeast «stepUp» mutatingLocal }"),
  }),
  "a line with two step-ups, reported once": renderFactsPage({
    sessions: SESSION('«stepUp» Files.write where path under "/a" else stepUp'),
  }),
  "a line of a task and one of a phase": renderFactsPage({
    sessions: `${SESSION("consent mutatingLocal  consent destructive")}
      task mend in operator { permit { «stepUp» notes.write }  phase only_one { permit { «stepUp» notes.delete } } }`,
  }),
  "a widening": renderFactsPage({
    sessions: `abstract session base { kind operator  models { auto canned }  permit { auto readOnly  forbidden notes.write } }
      session operator extends base { widen { «stepUp» notes.write } because "CHG-1: a night" }`,
  }),
  "a backend": [
    renderFactsPage({
      backends: "backend canned { stub }  backend spare { stub }",
      sessions: SESSION("consent mutatingLocal").replace("auto canned", "«stepUp spare»  auto canned"),
    }),
    "no person can sign for `stepUp spare`: the session `operator` has no principal with a key",
  ],
  "a release for the session": RELEASE("«stepUp»"),
  "a session whose principal has only a passphrase": renderFactsPage({
    top: 'principal alice { passphrase "alice" }',
    sessions: SESSION("«stepUp» mutatingLocal", "principals alice  login passphrase"),
    rest: END,
  }),
});

expectRefused("rule-never-matches", {
  "a line without tools, which step-up-without-principal does not report": renderFactsPage({
    permit: "auto readOnly  stepUp «notes.wrte»",
  }),
});

expectRefused("file-unreadable", {
  "an unreadable key, which counts as a key for step-up-without-principal": renderFactsPage({
    top: 'principal alice { ssh «"keys/none.pub"» }',
    sessions: SESSION("stepUp mutatingLocal", "principals alice"),
  }),
});

expectAccepted("step-up-without-principal, kept", {
  "other gates": renderFactsPage({
    sessions: `${SESSION("consent mutatingLocal")}
      task mend in operator { phase look { only readOnly }  phase write after consent { only notes.* } }`,
  }),
  "a phase of a session with a key": renderFactsPage({
    top: KEY,
    sessions: `${SESSION("consent mutatingLocal", "principals alice")} ${TASK.replace(/[«»]/g, "")}`,
  }),
  "an abstract session with a task and a release": renderFactsPage({
    top: `${KEY}  declassify notes.write from internal to public by stepUp for base because "CHG-9: a report"`,
    backends: "backend canned { stub clearance internal }",
    sessions: `abstract session base { kind operator  clearance internal  models { auto canned }
        permit { auto readOnly  stepUp notes.write } }
      task mend in base { phase look { only readOnly }  phase write after stepUp { only notes.* } }
      session operator extends base { principals alice }`,
  }),
  "a release for all sessions, and one behind consent": renderFactsPage({
    top: `declassify notes.write from internal to public by stepUp because "CHG-9: a report"
      declassify notes.delete from internal to public by consent for operator because "CHG-9: a report"`,
    backends: "backend canned { stub clearance internal }",
    sessions: SESSION("consent Files.*", "clearance internal"),
    rest: END,
  }),
});

test("step-up-without-principal names the session and the rule that requires step-up", async () => {
  const { diagnostics } = await compilePage(
    renderFactsPage({
      top: 'declassify notes.write from internal to public by stepUp for operator because "CHG-9: a report"',
      backends: "backend canned { stub clearance internal }",
      sessions: `${SESSION("consent mutatingLocal  stepUp destructive", "clearance internal")} ${TASK.replace(/[«»]/g, "")}`,
    }),
  );
  const found = diagnostics.filter(({ code }) => code === "step-up-without-principal");
  const named = (line: string) => expect.stringContaining(line);
  expect(found.map(({ message }) => message)).toEqual([
    named("declassify notes.write"),
    named("stepUp destructive"),
    named("phase write after stepUp"),
  ]);
  for (const { message } of found) expect(message).toContain("`operator`");
});

test.each([
  ["part of the session", SESSION("stepUp destructive", "quot { 5 }")],
  [
    "part of the task",
    `${SESSION("consent mutatingLocal")} task t in operator { permit { stepUp notes.write } quot { 5 } }`,
  ],
  ["part of the principal", `principal bob { ssk } ${SESSION("stepUp destructive", "principals bob")}`],
])("step-up-without-principal is not reported if %s has a syntax error", async (_, sessions) => {
  const { diagnostics } = await compilePage(renderFactsPage({ sessions }));
  const codes = diagnostics.map(({ code }) => code);
  expect(codes).toContain("syntax");
  expect(codes).not.toContain("step-up-without-principal");
});

expectUnsaid("step-up-without-principal", {
  "a principal that a syntax error hides": renderFactsPage({
    top: 'principa alice { ssh "keys/alice.pub" }',
    sessions: SESSION("stepUp mutatingLocal", "principals alice"),
  }),
});

expectRefused("step-up-without-principal", {
  "a principal with the same passphrase as another one": renderFactsPage({
    top: 'principal alice { passphrase "alice" }  principal bob { passphrase "bob" }',
    sessions: SESSION("«stepUp» mutatingLocal", "principals alice, bob"),
  }),
});

expectAccepted("step-up-without-principal, kept", {
  "a principal with a key and a passphrase": renderFactsPage({
    top: 'principal alice { ssh "keys/alice.pub"  passphrase "alice" }',
    sessions: SESSION("stepUp mutatingLocal", "principals alice"),
  }),
  "a floor that does not ask for a signature": renderFactsPage({
    sessions: SESSION("auto mutatingLocal", "when integrity <= untrusted { atLeast consent mutatingLocal }"),
  }),
});
