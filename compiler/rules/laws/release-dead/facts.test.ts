import { expect, test } from "vitest";
import {
  compilePage,
  expectAccepted,
  expectRefused,
  expectUnsaid,
  renderFactsPage,
} from "../../../dev/fixtures/facts.ts";

const releasing = (release: string, label: string) =>
  renderFactsPage({
    top: `compartments { hr }  ${release} by consent because "CHG-9: a report"`,
    services: `service notes : Files { state 1 MiB  label ${label} }`,
    backends: "backend canned { stub  clearance secret:{hr} }",
    sessions: "session operator { kind operator  clearance secret:{hr}  models { auto canned }  permit { auto * } }",
  });

expectRefused("release-dead", {
  "a read": releasing("declassify «notes.read» from secret to public", "public"),
  "a release to a tool that reads": releasing("declassify «notes.write» from internal to public", "internal"),
  "a flow that is allowed anyway": releasing("declassify «notes.write» from secret:{hr} to internal:{hr}", "internal"),
  "a release whose result still may not flow": releasing(
    "endorse «notes.write» from public/reviewed to public/system",
    "public/reviewed",
  ),
  "data that is trusted enough anyway": releasing(
    "endorse «notes.write» from public/untrusted to public/reviewed",
    "public/system",
  ),
});

const inTask = (release: string, task: string) =>
  renderFactsPage({
    services: "service notes : Files { state 1 MiB  label internal }",
    backends: "backend canned { stub  clearance secret }",
    sessions: `session operator { kind operator  clearance secret  models { auto canned }  permit { auto * } }
      session night { kind operator  clearance secret  models { auto canned }  permit { auto * } }
      task publish in operator { ${task}  declassify ${release} because "CHG-9: a report" }`,
  });

expectRefused("release-dead", {
  "a tool that never runs in the task of the release": [
    inTask("«notes.write» from secret to internal by consent", "only readOnly"),
    "it never runs in the task `publish`",
  ],
  "a session without the task": inTask("«notes.write» from secret to internal by consent for night", ""),
});

expectAccepted("release-dead, kept", {
  "a tool that runs in the task": inTask("notes.write from secret to internal by consent", "only Files.write"),
  "a level beside a compartment that is too high": releasing(
    "declassify notes.write from secret:{hr} to internal",
    "internal",
  ),
  "exactly the trust that the sink requires": releasing(
    "endorse notes.write from public/untrusted to public/reviewed",
    "public/reviewed",
  ),
  "one of two services": releasing("declassify Files.write from internal to public", "public").replace(
    "service notes",
    "service drafts : Files { state 1 MiB  label secret }  service notes",
  ),
});

test("the message of release-dead states why the release has no effect", async () => {
  const why = async (release: string, label: string) => {
    const { diagnostics } = await compilePage(releasing(release, label));
    return diagnostics.filter(({ code }) => code === "release-dead").map(({ message }) => message);
  };
  expect(await why("declassify notes.read from secret to public", "public")).toEqual([
    "this `declassify` never releases data through `notes.read`: the arguments of a read-only call on this machine need no release",
  ]);
  expect(await why("endorse notes.write from public/reviewed to public/system", "public/reviewed")).toEqual([
    expect.stringContaining("the data may flow there without this release"),
  ]);
  expect(await why("declassify notes.write from secret:{hr} to internal:{hr}", "internal")).toEqual([
    expect.stringContaining("even with this release the arguments must not flow there"),
  ]);
});

expectUnsaid("release-dead", {
  "a syntax error in the page": releasing("declassify notes.read from secret to public", "public").replace(
    "use std.tools",
    "use std.tools  servic",
  ),
});

test("release-dead is reported for a method that no service of the page has", async () => {
  const { diagnostics } = await compilePage(
    releasing("declassify Board.post from secret to public", "public").replace(
      "compartments { hr }",
      "compartments { hr }  interface Board { method post : mutatingLocal  method wipe : destructive }",
    ),
  );
  expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toContainEqual(
    expect.stringContaining("no service of the page has it"),
  );
});
