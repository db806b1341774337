import { expect, test } from "vitest";
import { compilePage, expectAdvised, renderFactsPage } from "../dev/fixtures/facts.ts";

// Advice, fact by fact: «marks» show what is underlined, once for each message; no mark, no message.

const web = (permit: string, rest = "") =>
  renderFactsPage({
    services: "service web : Fetch {}",
    sessions: `session operator { kind operator  models { auto canned }  permit { ${permit} } ${rest} }`,
    rest: "image { target linux  machine vm  boot operator }",
  });

expectAdvised("auto-outbound", {
  "a tool by name": web("«auto web.get»  consent web.post"),
  "one message for a line that names several": web("«auto web.get, web.post»"),
  "a line of a profile is said at the session": renderFactsPage({
    services: "service web : Fetch {}",
    top: "use std.profiles",
    sessions: `abstract session open { kind operator  permit { «auto outboundNet» } }
               session operator from open { models { auto canned } }`,
    rest: "image { target linux  machine vm  boot operator }",
  }),
  "a condition says where to": web('auto web.get where origin(url) in ["https://a.example"] else consent'),
  "what is asked for": web("consent outboundNet"),
  "a parent that asks": renderFactsPage({
    services: "service web : Fetch {}",
    sessions: `session day { kind operator  models { auto canned }  permit { consent outboundNet } }
               session operator extends day { permit { auto * } }`,
    rest: "image { target linux  machine vm  boot operator }",
  }),
});

const NOTHING_ELSE = "quota { 5 calls per turn";

expectAdvised("session-without-quota", {
  "none of its own": renderFactsPage({
    sessions: "session «operator» { kind operator models { auto canned } permit { auto readOnly } }",
  }),
  "an inherited one counts": renderFactsPage({
    sessions: `abstract session base { kind operator models { auto canned } permit { auto readOnly } ${NOTHING_ELSE} } }
               session operator extends base {}`,
  }),
});

expectAdvised("wildcard-wide", {
  "the other half of a condition": renderFactsPage({
    permit: 'auto readOnly  forbidden «*» where path under "/a" else consent',
  }),
  "in a task, and in a phase": renderFactsPage({
    rest: `task mend in operator { permit { consent «*» }  phase look { permit { auto «*» } } }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
  "what stays shut": renderFactsPage({ permit: "auto readOnly  forbidden *" }),
  "all of one service": renderFactsPage({ permit: "auto readOnly  consent notes.*" }),
});

expectAdvised("line-loosened", {
  "the line that goes before": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  service board : Files { state 1 MiB }",
    permit: 'auto readOnly  «auto notes.write»  forbidden Files.write where path under "/a" else consent',
  }),
  "of two lines behind it each": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  service board : Files { state 1 MiB }",
    permit: "auto readOnly  ««auto notes.write»»  forbidden Files.write  forbidden mutatingLocal",
  }),
  "nothing where asking is what is excepted from": renderFactsPage({
    permit: "auto readOnly, notes.write  consent mutatingLocal",
  }),
});

const documented = (service: string) =>
  `/// What.\n${renderFactsPage({ services: service }).replace("session operator", "\n/// Who.\nsession operator")}`;

expectAdvised("doc-missing", {
  "a service": documented("service «notes» : Files { state 1 MiB }"),
  "all have one": documented("\n/// The notes.\nservice notes : Files { state 1 MiB }"),
  "levels and principals speak for themselves": documented(
    "confidentiality { public < internal }\n/// The notes.\nservice notes : Files { state 1 MiB }",
  ),
});

expectAdvised("service-unused", {
  "forbidden everywhere": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  service «drafts» : Files { state 1 MiB }",
    permit: "auto notes.read  forbidden drafts.*",
  }),
  "suppressed everywhere": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  service «drafts» : Files { state 1 MiB }",
    permit: `auto readOnly } suppress drafts.* ${NOTHING_ELSE}`,
  }),
});

expectAdvised("category-unused", {
  "its kind is used, and so is it": renderFactsPage({
    top: `category posting : mutatingLocal  category pinning : posting
          interface Board { method post : pinning  method wipe : destructive }`,
    services: "service board : Board {}",
    permit: "consent mutatingLocal  forbidden destructive",
    rest: "image { target linux  machine vm  boot operator }",
  }),
  "those of the standard library are there for any page": renderFactsPage({}),
});

expectAdvised("level-unused", {
  "the lowest, and where conversations begin": renderFactsPage({
    top: "integrity { untrusted < reviewed < system < «kernel» }",
  }),
  "a condition names it": renderFactsPage({
    top: "confidentiality { public < internal }",
    backends: "backend canned { stub  clearance internal }",
    permit: `auto readOnly } clearance internal when confidentiality >= internal { atLeast consent readOnly`,
  }),
});

expectAdvised("compartment-unused", {
  "a condition names it": renderFactsPage({
    top: "compartments { hr, «finance» }",
    backends: "backend canned { stub  clearance public:{hr} }",
    permit: `auto readOnly } clearance public:{hr} when compartment hr { atLeast consent readOnly`,
  }),
});

expectAdvised("import-unused", {
  "a profile is used": renderFactsPage({
    top: "use std.profiles",
    sessions: "session operator from profiles.guest { models { auto canned }  permit { forbidden destructive } }",
  }),
  "a profile is not": renderFactsPage({ top: "«use std.profiles»" }),
  "a page of the package is part of the system": renderFactsPage({ top: "" }),
});

test("a fix of an import takes the whole line where nothing else stands on it", async () => {
  const fixOf = async (top: string) => {
    const text = renderFactsPage({ top });
    const { advice } = await compilePage(text);
    const fix = advice.find(({ code }) => code === "import-unused")?.fix;
    return fix === undefined ? undefined : text.slice(fix.span.start, fix.span.end) + fix.replacement;
  };
  expect(await fixOf("\nuse std.profiles\n")).toBe("use std.profiles\n");
  expect(await fixOf("use std.profiles  // why")).toBe("use std.profiles");
});

test("a fix of a deprecated name puts the new one in, and only there", async () => {
  const text = renderFactsPage({
    top: `interface Board {
            method post : mutatingLocal
            /// Deprecated: use \`post\`.
            method wipe : destructive }`,
    services: "service board : Board {}",
    permit: "consent mutatingLocal  forbidden Board.wipe",
    rest: "image { target linux  machine vm  boot operator }",
  });
  const { advice } = await compilePage(text);
  const fixes = advice.filter(({ code }) => code === "deprecated-name").map(({ fix }) => fix);
  expect(fixes.map((fix) => fix && [text.slice(fix.span.start - 6, fix.span.end), fix.replacement])).toEqual([
    ["Board.wipe", "post"],
  ]);
});

const holding = (services: string, permit: string, rest = "") =>
  renderFactsPage({
    top: 'principal alice { ssh "keys/alice.pub" }',
    services: `service docs : Files { state 1 MiB } ${services}`,
    sessions: `session operator { kind operator  principals alice  models { auto canned }  permit { auto readOnly  ${permit} } }`,
    rest: `${rest} storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  });
const patches = (scope: string) => `service changes : PatchSets { state 64 KiB  grant ${scope} }`;
const board = (grant: string, post = "mutatingLocal") =>
  `interface Board { method post : ${post}  method wipe : destructive }
   service board : Board { exec "board.js"  grant ${grant} }`;
const LOCKED = 'forbidden docs.write where path under "/locked" else consent';

expectAdvised(
  "grant-past-line",
  {
    "what holds files by another one": holding(
      `${patches("docs")} ${board("«changes»")}`,
      "consent board.post  forbidden docs.write",
    ),
    "a program that changes something may delete": holding(
      board("«docs»"),
      "consent mutatingLocal  stepUp docs.delete  forbidden board.wipe",
    ),
    "a program that reads may read, and no more": holding(
      board("«docs»", "readOnly"),
      'consent docs.read where path under "/drafts" else forbidden  forbidden *',
    ),
    "a program that reads changes nothing": holding(board("docs", "readOnly"), "forbidden mutatingLocal, destructive"),
    "a task's line": holding(
      patches("«docs»"),
      "consent mutatingLocal",
      "task mend in operator { permit { forbidden docs.write } }",
    ),
    "patch sets delete nothing": holding(patches("docs"), "consent mutatingLocal  forbidden destructive"),
    "to propose is to change nothing": holding(patches("docs"), "auto changes.propose  consent mutatingLocal"),
    "the holder's line is as strict": holding(patches("docs"), `${LOCKED}  forbidden changes.apply`),
    "what no line speaks of is used by way of the holder": holding(board("docs"), "auto Board.post"),
    "a folder that is locked as a whole": holding(patches('«docs» scope "/locked/a"'), `${LOCKED}  consent changes.*`),
    "a condition about something else": holding(
      patches('«docs» scope "/drafts"'),
      "consent docs.write where size(content) < 1 KiB else forbidden  consent changes.*",
    ),
  },
  { "/board.js": "export default {};" },
);
