import { expect, test } from "vitest";
import {
  compilePage,
  expectAccepted,
  expectRefused,
  expectUnsaid,
  renderFactsPage,
} from "../../../dev/fixtures/facts.ts";

const models = (choices: string, rest = "", spare = "") =>
  renderFactsPage({
    backends: `backend canned { stub }  backend spare { stub ${spare} }`,
    services: "service notes : Files { state 1 MiB  label internal/reviewed }",
    sessions: `session operator { kind operator  clearance internal  models { ${choices} }  permit { auto readOnly  consent mutatingLocal } } ${rest}`,
  });
const NIGHT = (choices: string, rest = "") =>
  `session night { kind operator  models { ${choices} }  permit { auto readOnly } ${rest} }`;

expectRefused("backend-unreachable", {
  "a forbidden backend": models("auto canned  «forbidden spare»"),
  "a backend after one that always answers, in either mode": models("auto canned  «consent spare»"),
  "a backend with less clearance than the one before": models("auto spare  «auto canned»", "", "clearance internal"),
  "a backend that no session names": models("auto canned").replace("backend spare", "backend «spare»"),
  "a backend that only an abstract session names": models(
    "auto canned",
    "abstract session base { kind operator  models { auto spare }  permit { auto readOnly } }",
  ).replace("backend spare", "backend «spare»"),
});

expectAccepted("backend-unreachable, kept", {
  "a backend after one that asks first": models("consent canned  auto spare"),
  "a backend with more clearance": models("auto canned  auto spare", "", "clearance internal"),
  "a backend of another session": models("auto canned", NIGHT("auto spare")),
});

test.each([
  ["an unknown name", models("auto canned", NIGHT("auto spar"))],
  ["a syntax error in a session", models("auto canned", NIGHT("auto canned", "quot { 5 }"))],
  ["a syntax error in the page", `${models("auto canned", "sesion night { models { auto spare } }")}`],
  ["a page without a session", models("auto canned").replace("session operator", "abstract session operator")],
])("backend-unreachable is not reported beside %s", async (_, text) => {
  const { diagnostics } = await compilePage(text);
  const codes = diagnostics.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(0);
  expect(codes).not.toContain("backend-unreachable");
});

test("backend-unreachable states the reason", async () => {
  const { diagnostics } = await compilePage(
    models("auto canned  forbidden spare", NIGHT("auto canned  consent spare")),
  );
  const found = diagnostics.filter(({ code }) => code === "backend-unreachable").map(({ message }) => message);
  expect(found).toEqual([
    "the backend `spare` never answers: it is forbidden",
    "the backend `spare` never answers: `canned` before it always does",
  ]);
});

expectUnsaid(
  "backend-unreachable",
  { "a session with a syntax error in another file": models("auto canned", 'use "night.cap"') },
  { "/night.cap": "session night { models { auto spare  auto } }" },
);
