import { expect, test } from "vitest";
import { compilePage, expectAdvised, renderFactsPage } from "../dev/fixtures/facts.ts";

// Tests each advice with small pages. The marks «» show the position of each message; a page without marks gets no message.

const web = (permit: string, rest = "") =>
  renderFactsPage({
    services: "service web : Fetch {}",
    sessions: `session operator { kind operator  models { auto canned }  permit { ${permit} } ${rest} }`,
    rest: "image { target linux  machine vm  boot operator }",
  });

expectAdvised("auto-outbound", {
  "a line for one tool by name": web("«auto web.get»  consent web.post"),
  "a line that names several tools, with one message": web("«auto web.get, web.post»"),
  "a line of a profile, reported at the session": renderFactsPage({
    services: "service web : Fetch {}",
    top: "use std.profiles",
    sessions: `abstract session open { kind operator  permit { «auto outboundNet» } }
               session operator from open { models { auto canned } }`,
    rest: "image { target linux  machine vm  boot operator }",
  }),
  "a condition that limits the destination": web(
    'auto web.get where origin(url) in ["https://a.example"] else consent',
  ),
  "a line that asks for consent": web("consent outboundNet"),
  "a parent session that asks for consent": renderFactsPage({
    services: "service web : Fetch {}",
    sessions: `session day { kind operator  models { auto canned }  permit { consent outboundNet } }
               session operator extends day { permit { auto * } }`,
    rest: "image { target linux  machine vm  boot operator }",
  }),
});

const NOTHING_ELSE = "quota { 5 calls per turn";

expectAdvised("session-without-quota", {
  "a session without a quota": renderFactsPage({
    sessions: "session «operator» { kind operator models { auto canned } permit { auto readOnly } }",
  }),
  "a session with an inherited quota": renderFactsPage({
    sessions: `abstract session base { kind operator models { auto canned } permit { auto readOnly } ${NOTHING_ELSE} } }
               session operator extends base {}`,
  }),
});

expectAdvised("wildcard-wide", {
  "a line whose `else` asks for consent": renderFactsPage({
    permit: 'auto readOnly  forbidden «*» where path under "/a" else consent',
  }),
  "a line in a task and one in a phase": renderFactsPage({
    rest: `task mend in operator { permit { consent «*» }  phase look { permit { auto «*» } } }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
  "a line that forbids all tools": renderFactsPage({ permit: "auto readOnly  forbidden *" }),
  "a line for all tools of one service": renderFactsPage({ permit: "auto readOnly  consent notes.*" }),
});

expectAdvised("line-loosened", {
  "the line that takes precedence": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  service board : Files { state 1 MiB }",
    permit: 'auto readOnly  «auto notes.write»  forbidden Files.write where path under "/a" else consent',
  }),
  "two lines that it displaces, with a message for each": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  service board : Files { state 1 MiB }",
    permit: "auto readOnly  ««auto notes.write»»  forbidden Files.write  forbidden mutatingLocal",
  }),
  "an exception from lines that ask for consent": renderFactsPage({
    permit: "auto readOnly, notes.write  consent mutatingLocal",
  }),
});

const documented = (service: string) =>
  `/// What.\n${renderFactsPage({ services: service }).replace("session operator", "\n/// Who.\nsession operator")}`;

expectAdvised("doc-missing", {
  "a service": documented("service «notes» : Files { state 1 MiB }"),
  "a service and a session that both have a doc comment": documented(
    "\n/// The notes.\nservice notes : Files { state 1 MiB }",
  ),
  "levels and principals, which need no doc comment": documented(
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
  "a category whose subcategory is used": renderFactsPage({
    top: `category posting : mutatingLocal  category pinning : posting
          interface Board { method post : pinning  method wipe : destructive }`,
    services: "service board : Board {}",
    permit: "consent mutatingLocal  forbidden destructive",
    rest: "image { target linux  machine vm  boot operator }",
  }),
  "categories of the standard library on any page": renderFactsPage({}),
});

expectAdvised("level-unused", {
  "the lowest level and the level where conversations begin": renderFactsPage({
    top: "integrity { untrusted < reviewed < system < «kernel» }",
  }),
  "a level that a condition names": renderFactsPage({
    top: "confidentiality { public < internal }",
    backends: "backend canned { stub  clearance internal }",
    permit: `auto readOnly } clearance internal when confidentiality >= internal { atLeast consent readOnly`,
  }),
});

expectAdvised("compartment-unused", {
  "a compartment that a condition names": renderFactsPage({
    top: "compartments { hr, «finance» }",
    backends: "backend canned { stub  clearance public:{hr} }",
    permit: `auto readOnly } clearance public:{hr} when compartment hr { atLeast consent readOnly`,
  }),
});

expectAdvised("import-unused", {
  "a profile that a session extends": renderFactsPage({
    top: "use std.profiles",
    sessions: "session operator from profiles.guest { models { auto canned }  permit { forbidden destructive } }",
  }),
  "a profile that no session extends": renderFactsPage({ top: "«use std.profiles»" }),
  "no import beside a page of the package": renderFactsPage({ top: "" }),
});

test("the fix for an unused import deletes the whole line if it contains nothing else", async () => {
  const fixOf = async (top: string) => {
    const text = renderFactsPage({ top });
    const { advice } = await compilePage(text);
    const fix = advice.find(({ code }) => code === "import-unused")?.fix;
    return fix === undefined ? undefined : text.slice(fix.span.start, fix.span.end) + fix.replacement;
  };
  expect(await fixOf("\nuse std.profiles\n")).toBe("use std.profiles\n");
  expect(await fixOf("use std.profiles  // why")).toBe("use std.profiles");
});

test("the fix for a deprecated name replaces only that name", async () => {
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
    "a service that holds files through another service": holding(
      `${patches("docs")} ${board("«changes»")}`,
      "consent board.post  forbidden docs.write",
    ),
    "a program with a mutating tool, which may also delete": holding(
      board("«docs»"),
      "consent mutatingLocal  stepUp docs.delete  forbidden board.wipe",
    ),
    "a program with only read tools, past a line about reading": holding(
      board("«docs»", "readOnly"),
      'consent docs.read where path under "/drafts" else forbidden  forbidden *',
    ),
    "a program with only read tools, past lines about changes": holding(
      board("docs", "readOnly"),
      "forbidden mutatingLocal, destructive",
    ),
    "a line of a task": holding(
      patches("«docs»"),
      "consent mutatingLocal",
      "task mend in operator { permit { forbidden docs.write } }",
    ),
    "patch sets, which cannot delete": holding(patches("docs"), "consent mutatingLocal  forbidden destructive"),
    "a proposal of a patch, which changes nothing": holding(
      patches("docs"),
      "auto changes.propose  consent mutatingLocal",
    ),
    "a line for the holder that is as strict": holding(patches("docs"), `${LOCKED}  forbidden changes.apply`),
    "tools without a line of their own, used through the holder": holding(board("docs"), "auto Board.post"),
    "a grant of a folder that is forbidden as a whole": holding(
      patches('«docs» scope "/locked/a"'),
      `${LOCKED}  consent changes.*`,
    ),
    "a condition on another argument": holding(
      patches('«docs» scope "/drafts"'),
      "consent docs.write where size(content) < 1 KiB else forbidden  consent changes.*",
    ),
  },
  { "/board.js": "export default {};" },
);
