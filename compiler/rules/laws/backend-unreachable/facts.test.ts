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
  "one that is forbidden": models("auto canned  «forbidden spare»"),
  "one behind another that always answers, at either mode": models("auto canned  «consent spare»"),
  "one that is cleared for less than the one before": models("auto spare  «auto canned»", "", "clearance internal"),
  "one that no session names": models("auto canned").replace("backend spare", "backend «spare»"),
  "one that an abstract session names alone": models(
    "auto canned",
    "abstract session base { kind operator  models { auto spare }  permit { auto readOnly } }",
  ).replace("backend spare", "backend «spare»"),
});

expectAccepted("backend-unreachable, kept", {
  "one behind another that asks first": models("consent canned  auto spare"),
  "one that is cleared for more": models("auto canned  auto spare", "", "clearance internal"),
  "one of another session": models("auto canned", NIGHT("auto spare")),
});

test.each([
  ["another name that is unknown", models("auto canned", NIGHT("auto spar"))],
  ["part of a session", models("auto canned", NIGHT("auto canned", "quot { 5 }"))],
  ["part of the page", `${models("auto canned", "sesion night { models { auto spare } }")}`],
  ["a page without a session", models("auto canned").replace("session operator", "abstract session operator")],
])("backend-unreachable is not said beside %s", async (_, text) => {
  const { diagnostics } = await compilePage(text);
  const codes = diagnostics.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(0);
  expect(codes).not.toContain("backend-unreachable");
});

test("backend-unreachable says why", async () => {
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
  { "where a session was cut off in a file of its own": models("auto canned", 'use "night.cap"') },
  { "/night.cap": "session night { models { auto spare  auto } }" },
);
