import { expect, test } from "vitest";
import {
  compilePage,
  expectAccepted,
  expectRefused,
  expectUnsaid,
  renderFactsPage,
} from "../../../dev/fixtures/facts.ts";

const sessions = (text: string) => renderFactsPage({ sessions: text });
const codesOf = async (text: string) => [...new Set((await compilePage(text)).diagnostics.map(({ code }) => code))];

expectRefused("session-without-model", {
  "an empty list of models": sessions(
    `session «operator» { kind operator  models {}  permit { auto readOnly } }
     session night { kind operator  models { auto canned }  permit { auto readOnly } }`,
  ),
});

expectRefused("session-without-tools", {
  "an empty list of lines": sessions("session «operator» { kind operator  models { auto canned }  permit {} }"),
  "a session that extends one without lines": sessions(
    `abstract session base { kind operator  models { auto canned } } session «operator» extends base {}`,
  ),
});

const CUT_OFF = { "/night.cap": "session night { models { auto } }" };
const besideCutOff = renderFactsPage({ top: 'use "night.cap"' });

expectUnsaid("session-without-kind", { "a session with a syntax error in another file": besideCutOff }, CUT_OFF);
expectUnsaid("session-without-model", { "a session with a syntax error in another file": besideCutOff }, CUT_OFF);
expectUnsaid(
  "session-without-tools",
  {
    "a session with a syntax error in another file": besideCutOff,
    "a line without tools": sessions(
      "session operator { kind operator  models { auto canned }  permit { auto admin } }",
    ),
    "a widening without tools": sessions(
      `abstract session base { kind operator  models { auto canned } }
       session operator extends base { widen { auto admin } because "CHG-1: a night" }`,
    ),
  },
  CUT_OFF,
);

expectAccepted("session-complete, kept", {
  "a session that executes plans": renderFactsPage({
    services: `service notes : Files { state 1 MiB }
      service plans : ActionPlans { label public/reviewed  grant robots }`,
    sessions: `session operator { kind operator  models { auto canned }  permit { auto ActionPlans.submit } }
      session robots { kind service  permit { auto readOnly  consent mutatingLocal  forbidden destructive }
        suppress ActionPlans.*  quota { 100 calls per hour  12 prompts per hour } }`,
  }),
  "an inherited model and line": sessions(
    `abstract session base { kind operator  models { auto canned }  permit { auto readOnly } } session operator extends base {}`,
  ),
  "a widened model and line": sessions(
    `abstract session base { kind operator } session operator extends base {
       widen { models { auto canned }  auto readOnly } because "CHG-1: a night" }`,
  ).replace("kind operator }", "kind operator  permit { forbidden readOnly } }"),
});

test.each([
  [
    "session-without-kind",
    "an unknown kind",
    sessions("session operator { kind boss  models { auto canned }  permit { auto readOnly } }"),
  ],
  [
    "session-without-model",
    "an unknown backend",
    sessions("session operator { kind operator  models { auto cannd }  permit { auto readOnly } }"),
  ],
  [
    "session-without-tools",
    "an unknown tool",
    sessions("session operator { kind operator  models { auto canned }  permit { auto notes.wrte } }"),
  ],
  ["session-without-kind", "part of the session", sessions("session operator { knd operator }")],
  ["no-session", "part of the page", sessions("sesion operator { kind operator }")],
])("%s is not reported beside %s", async (code, _, text) => {
  const codes = await codesOf(text);
  expect(codes.length).toBeGreaterThan(0);
  expect(codes).not.toContain(code);
});

test("no-session points to the name of the system", async () => {
  const text = sessions("abstract session operator {}");
  const { diagnostics } = await compilePage(text);
  const at = diagnostics
    .filter(({ code }) => code === "no-session")
    .map(({ span }) => text.slice(span.start, span.end));
  expect(at).toEqual(["sample"]);
});
