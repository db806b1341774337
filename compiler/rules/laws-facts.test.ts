import { expect, test } from "vitest";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../dev/fixtures/facts.ts";

// Tests each law with small pages. The marks «» show the position of each message.

const KEYS = 'principal alice { ssh "keys/alice.pub" }';

expectRefused("rule-conflict", {
  "two modes for one category": renderFactsPage({ permit: "auto readOnly  consent «readOnly»" }),
  "one of several patterns of a line": renderFactsPage({
    permit: "auto readOnly, mutatingLocal  consent «mutatingLocal», destructive",
  }),
  "two modes for one tool": renderFactsPage({ permit: "auto notes.read  forbidden «notes.read»" }),
  "two modes in a session that is not booted": renderFactsPage({
    rest: `session other { kind guest  models { auto canned }  permit { auto readOnly  consent «readOnly» } }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});

expectAccepted("rule-conflict, kept", {
  "a line for a tool, which takes precedence over its category": renderFactsPage({
    permit: "auto readOnly  forbidden notes.read",
  }),
  "the same line twice": renderFactsPage({ permit: "auto readOnly  auto readOnly" }),
  "a condition beside an unconditional line": renderFactsPage({
    permit: 'consent Files.write  auto Files.write where path under "/a" else consent',
  }),
});

expectRefused("rule-never-matches", {
  "a misspelt method": renderFactsPage({ permit: "auto readOnly  consent «Files.wrte»" }),
  "a category that no tool has": renderFactsPage({ permit: "auto readOnly  consent «admin»" }),
  "a service without such a method": renderFactsPage({ permit: "auto readOnly  forbidden «notes.burn»" }),
  "in only": renderFactsPage({
    permit: "auto readOnly } only readOnly, «outboundNet» when unattended { atLeast consent readOnly",
  }),
  "in suppress": renderFactsPage({
    permit: "auto readOnly } suppress «admin» when unattended { atLeast consent readOnly",
  }),
  "in a floor of a session": renderFactsPage({ permit: "auto readOnly } when unattended { atLeast consent «admin»" }),
});

expectRefused("rule-shadowed", {
  "a method of all services if each has a line of its own": renderFactsPage({
    permit: "auto readOnly  consent «Files.write»  forbidden notes.write",
  }),
  "a suppressed tool": renderFactsPage({
    permit: "auto readOnly  consent «notes.write» } suppress mutatingLocal when unattended { atLeast consent readOnly",
  }),
});

expectRefused("step-up-without-principal", {
  "a line": renderFactsPage({ permit: "auto readOnly  «stepUp» destructive" }),
  "a condition whose `else` is step-up": renderFactsPage({
    permit: 'auto Files.write where path under "/a" else «stepUp»',
  }),
});

expectAccepted("step-up-without-principal, kept", {
  "a principal with a key": renderFactsPage({
    top: KEYS,
    sessions:
      "session operator { kind operator principals alice models { auto canned } permit { stepUp destructive } }",
  }),
  "a session with inherited principals": renderFactsPage({
    top: KEYS,
    sessions: `abstract session base { kind operator principals alice models { auto canned } permit { auto readOnly stepUp destructive } }
               session operator extends base { permit { stepUp notes.delete } }`,
  }),
});

const shop = (line: string) =>
  renderFactsPage({
    top: `interface Shop { method buy : destructive  arg price is money EUR  arg from is url }`,
    services: "service shop : Shop {}",
    permit: line,
    rest: "image { target linux  machine vm  boot operator }",
  });

expectRefused("where-wrong-type", {
  "another currency": shop("consent shop.buy where «price <= 10.00 USD» else forbidden"),
  "an amount without its currency": shop("consent shop.buy where «price <= 10.00» else forbidden"),
  "an amount of money compared with a number of bytes": shop("consent shop.buy where «price <= 1 KiB» else forbidden"),
  "a URL compared by its spelling": shop('consent shop.buy where «from == "https://a.example"» else forbidden'),
  "an origin with a path": shop('consent shop.buy where «origin(from) in ["https://a.example/x"]» else forbidden'),
  "a word that is not one of the choices": shop('consent shop.buy where «colour == "blue"» else forbidden'),
  "a boolean compared with a text": shop('consent shop.buy where «gift == "true"» else forbidden'),
  "a number compared with a text": shop('consent shop.buy where «count == "3"» else forbidden'),
  "a folder condition on an argument that is not a path": shop(
    'consent shop.buy where «price under "/a"» else forbidden',
  ),
  "a record compared as a whole": shop("consent shop.buy where «size == 3» else forbidden"),
  "the size of a number": shop("consent shop.buy where «size(count) <= 3» else forbidden"),
  "a path compared by its spelling": renderFactsPage({
    permit: 'auto readOnly forbidden Files.write where «path == "/a"» else consent',
  }),
  "a folder with `..`": renderFactsPage({
    permit: 'auto readOnly consent Files.write where «path under "/a/../b"» else forbidden',
  }),
  "a folder that is not absolute": renderFactsPage({
    permit: 'auto readOnly consent Files.write where «path under "a"» else forbidden',
  }),
});

expectRefused("where-unknown-argument", {
  "a misspelt argument": renderFactsPage({
    permit: 'auto readOnly consent Files.write where «pat» under "/a" else forbidden',
  }),
  "an argument that some tools of the line lack": renderFactsPage({
    permit: "auto readOnly  consent notes.* where size(«content») < 1 KiB else forbidden",
  }),
  "a field that the record lacks": shop("consent shop.buy where «size.height» < 3 else forbidden"),
});

expectRefused("where-unsatisfiable", {
  "contradictory bounds": shop("consent shop.buy where count < 3 and «count > 5» else forbidden"),
  "a bound outside of the range of the type": shop("consent shop.buy where «count > 65535» else forbidden"),
  "two strict bounds at the same number": shop(
    "consent shop.buy where price < 3 EUR and «price > 3.00 EUR» else forbidden",
  ),
  "words that exclude each other": shop(
    'consent shop.buy where colour in ["red"] and «colour == "green"» else forbidden',
  ),
  "an exclusion of all choices": shop('consent shop.buy where colour != "red" and «colour != "green"» else forbidden'),
  "a boolean that must be both true and false": shop(
    "consent shop.buy where gift == true and «gift == false» else forbidden",
  ),
  "folders apart": renderFactsPage({
    permit: 'auto readOnly consent Files.write where path under "/a" and «path under "/b"» else forbidden',
  }),
});

expectAccepted("where-wrong-type and where-unsatisfiable, kept", {
  "each type with a check that fits": shop(
    `consent shop.buy where price <= 10.00 EUR and origin(from) in ["https://a.example"] and count >= 1 and count <= 3
     and colour != "red" and gift == false and size.width < 10 else forbidden`,
  ),
  "a folder inside of another one": renderFactsPage({
    permit: 'auto readOnly consent Files.write where path under "/a" and path under "/a/b" else forbidden',
  }),
});

expectRefused("widens-parent", {
  "a tool that the parent has no line for": renderFactsPage({
    sessions: `abstract session base { kind operator models { auto canned } permit { auto readOnly } }
               session operator extends base { permit { auto «notes.write» } }`,
  }),
  "a condition with one looser branch": renderFactsPage({
    sessions: `abstract session base { kind operator models { auto canned } permit { auto readOnly consent Files.write } }
               session operator extends base { permit { auto «notes.write» where path under "/a" else consent } }`,
  }),
  "a looser line than that of a grandparent": renderFactsPage({
    sessions: `abstract session base { kind operator models { auto canned } permit { auto readOnly consent Files.write } }
               abstract session middle extends base {}
               session operator extends middle { permit { auto «notes.write» } }`,
  }),
});

expectAccepted("widens-parent, kept", {
  "a broad line that is looser for some tools": renderFactsPage({
    sessions: `abstract session base { kind operator models { auto canned } permit { auto readOnly consent Files.write } }
               session operator extends base { permit { auto *  forbidden notes.list } }`,
  }),
  "the same condition as the parent": renderFactsPage({
    sessions: `abstract session base { kind operator models { auto canned }
                 permit { auto readOnly  auto Files.write where path under "/a" else consent } }
               session operator extends base { permit { auto notes.write where path under "/a" else consent } }`,
  }),
  "a session that uses another one as defaults with `from`": renderFactsPage({
    top: "use std.profiles",
    backends: "backend canned { stub clearance secret }",
    sessions:
      "session operator from profiles.operator { models { auto canned } permit { auto notes.delete, notes.write } }",
  }),
});

expectRefused("admin-outside-operator", {
  "a tool by name": renderFactsPage({
    top: "interface Board { method post : readOnly  method wipe : admin }",
    services: "service board : Board {}",
    sessions: "session operator { kind guest models { auto canned } permit { auto readOnly  auto «board.wipe» } }",
    rest: "image { target linux  machine vm  boot operator }",
  }),
});

const BOARD_OF_GUESTS = {
  top: "interface Board { method post : readOnly  method wipe : admin }",
  services: "service board : Board {}",
};
const GUEST = "session operator { kind guest models { auto canned } permit { auto readOnly }";
const GUEST_IMAGE = "image { target linux  machine vm  boot operator }";

expectRefused("admin-outside-operator", {
  "a category in a task": renderFactsPage({
    ...BOARD_OF_GUESTS,
    sessions: `${GUEST} }`,
    rest: `task t in operator { permit { consent «admin» } } ${GUEST_IMAGE}`,
  }),
  "a category in a phase": renderFactsPage({
    ...BOARD_OF_GUESTS,
    sessions: `${GUEST} }`,
    rest: `task t in operator { phase look { permit { auto readOnly  consent «admin» } } } ${GUEST_IMAGE}`,
  }),
});

expectRefused("widens-parent", {
  "a single admin tool in a guest's task": renderFactsPage({
    ...BOARD_OF_GUESTS,
    sessions: `${GUEST} }`,
    rest: `task t in operator { permit { consent «board.wipe» } } ${GUEST_IMAGE}`,
  }),
});

expectAccepted("admin-outside-operator, kept", {
  "a task that narrows what its session widens": renderFactsPage({
    ...BOARD_OF_GUESTS,
    sessions: `${GUEST} widen { consent Board.wipe } because "CHG-7: visitors clean the board" }`,
    rest: `task t in operator { permit { auto readOnly  consent admin } } ${GUEST_IMAGE}`,
  }),
  "a task of a guest that forbids administration": renderFactsPage({
    ...BOARD_OF_GUESTS,
    sessions: `${GUEST} }`,
    rest: `task t in operator { permit { auto *  forbidden admin } } ${GUEST_IMAGE}`,
  }),
});

const VAULT = {
  top: "category vault : readOnly  interface Board { method post : vault  method wipe : readOnly }",
  services: "service board : Board {}",
};
const withTask = (said: string, permit = "auto readOnly") =>
  renderFactsPage({
    ...VAULT,
    sessions: `session operator { kind operator models { auto canned } permit { ${permit} } }`,
    rest: `task t in operator { ${said} } ${GUEST_IMAGE}`,
  });

expectRefused("looser-than-parent-category", {
  "a looser line in a task": withTask("permit { consent readOnly  auto «vault» }"),
  "a condition with a looser branch in a phase": withTask(
    'phase look { permit { consent readOnly  auto «vault» where line == "a" else consent } }',
  ),
});

expectAccepted("looser-than-parent-category, kept", {
  "a line of a task for a subcategory as loose as the session's line for its parent": withTask(
    "permit { consent vault }",
    "auto readOnly",
  ),
  "a looser line of a task, compared only with lines of that task": withTask(
    "permit { auto vault }",
    "consent readOnly",
  ),
});

expectRefused("looser-than-parent-category", {
  "a looser line than the one of a profile": renderFactsPage({
    top: `use std.profiles  category vault : destructive
          interface Board { method post : vault  method wipe : destructive }`,
    services: "service board : Board {}",
    backends: "backend canned { stub clearance secret }",
    sessions: "session operator from profiles.operator { models { auto canned } permit { consent «vault» } }",
    rest: "image { target linux  machine vm  boot operator }",
  }),
});

const limits = (quota: string, permit = "auto readOnly  consent mutatingLocal") =>
  renderFactsPage({ permit: `${permit} } quota { ${quota}` });

expectRefused("quota-unreachable", {
  "a quota of a longer scope that is not larger": limits("«10 calls per turn»  10 calls per conversation"),
  "a quota for a category beside one as large for all calls": limits("«9 readOnly per turn»  9 calls per turn"),
  "a quota in a widening": renderFactsPage({
    sessions: `session day { kind operator models { auto canned } permit { auto readOnly } quota { 5 calls per turn  50 calls per task } }
               session operator extends day { widen { quota { «60 calls per turn» } } because "CHG-1: a long night" }`,
  }).replace("  50 calls per task", "  50 calls per conversation"),
  "a quota for a suppressed category": renderFactsPage({
    permit: "auto readOnly  forbidden destructive } suppress mutatingLocal quota { «3 mutatingLocal per hour»",
  }),
});

expectAccepted("quota-unreachable, kept", {
  "equal quotas per turn and per hour, because a turn may last longer": limits("9 calls per turn  9 calls per hour"),
  "a larger quota for all calls than for one category": limits("3 readOnly per turn  9 calls per turn"),
  "a quota for prompts that only a floor causes": renderFactsPage({
    permit: "auto readOnly } quota { 5 prompts per turn } when integrity <= untrusted { atLeast consent readOnly",
  }),
  "a quota for prompts in an abstract session that has no lines yet": renderFactsPage({
    sessions: `abstract session day { kind operator models { auto canned } quota { 5 prompts per turn } }
               session operator extends day { permit { auto readOnly } }`,
  }),
});

expectRefused("suppress-removes-nothing", {
  "a tool that `only` already removes": renderFactsPage({
    permit: "auto readOnly } only readOnly suppress «notes.write» quota { 5 calls per turn",
  }),
  "the same tool twice, with one message": renderFactsPage({
    permit: "auto readOnly } suppress notes.write, «notes.write» quota { 5 calls per turn",
  }),
});

expectAccepted("suppress-removes-nothing, kept", {
  "overlapping patterns": renderFactsPage({
    permit: "auto readOnly } suppress notes.*, destructive quota { 5 calls per turn",
    services: "service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }",
  }),
});

expectRefused("only-removes-nothing", {
  "the second of two `only`": renderFactsPage({
    permit: "auto readOnly } only readOnly  only «notes.*» quota { 5 calls per turn",
  }),
});

const SECRET = ["AKIA", "IOSFODNN7EXAMPLE"].join("");

expectRefused("credential-in-source", {
  "a credential in a comment": renderFactsPage({
    rest: `// «${SECRET}»\nstorage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
  "a password in an address": renderFactsPage({
    permit: 'auto readOnly  consent Files.write where path under "/https«://me:letmein@»host" else forbidden',
  }),
  "hexadecimal digits of random bytes": renderFactsPage({
    permit: 'auto readOnly  consent Files.write where path under "/«0f1e2d3c4b5a69788796a5b4c3d2e1f0»" else forbidden',
  }),
});

expectAccepted("credential-in-source, kept", {
  "a long name": renderFactsPage({
    permit: 'auto readOnly  consent Files.write where path under "/a-folder-whose-name-goes-on" else forbidden',
  }),
  "a name with digits and capitals": renderFactsPage({
    permit: 'auto readOnly  consent Files.write where path under "/Report2027Report2027Report2027" else forbidden',
  }),
  "a long run of zeros": renderFactsPage({
    permit: 'auto readOnly  consent Files.write where path under "/00000000000000000000000000000000" else forbidden',
  }),
});

/** Returns a page whose session has a task. */
const task = (inside: string, permit = "auto readOnly  consent mutatingLocal  forbidden destructive") =>
  renderFactsPage({
    permit,
    rest: `task mend in operator { ${inside} }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  });

expectRefused("rule-conflict", { "in a task": task("permit { consent readOnly  forbidden «readOnly» }") });

expectRefused("rule-never-matches", {
  "in a task": task("permit { consent «Files.wrte» }"),
  "in only of a phase": task("phase look { only readOnly, «admin» }"),
});

expectRefused("rule-shadowed", {
  "a tool that the session suppresses": renderFactsPage({
    permit: "auto readOnly } suppress destructive quota { 5 calls per turn",
    rest: `task mend in operator { permit { forbidden «notes.delete» } }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
  "in a phase, by its own lines": task("phase look { permit { consent «Files.read»  consent notes.read } }"),
});

expectRefused("widens-parent", {
  "a looser line of a task for one method": task("permit { auto «notes.write» }"),
  "a looser line of a phase than that of its task": task(
    "permit { forbidden notes.write }  phase look { permit { consent «notes.write» } }",
  ),
  "a longer timeout": renderFactsPage({
    permit: "auto readOnly } timeout { 5 s per call",
    rest: `task mend in operator { timeout { «10 s per call» } }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});

expectAccepted("widens-parent and only-removes-nothing, kept", {
  "a broad line that is looser for some tools": `${task("permit { auto *  forbidden notes.list }")}`,
  "fewer tools in each phase": task("suppress destructive  phase look { only Files.* }  phase less { only readOnly }"),
});

expectRefused("only-removes-nothing", {
  "an `only` in a task whose session has no other tools": renderFactsPage({
    permit: "auto readOnly } only readOnly quota { 5 calls per turn",
    rest: `task mend in operator { only «Files.read», Files.list }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});

expectRefused("suppress-removes-nothing", {
  "a suppressed tool in a worker of a task": renderFactsPage({
    rest: `task mend in operator { suppress destructive }
           worker digest in mend { suppress mutatingLocal, «notes.delete» }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});

expectRefused("floor-changes-nothing", {
  "a floor in a task that asks for consent anyway": task(
    "permit { consent readOnly } when integrity <= untrusted { atLeast consent «readOnly» }",
  ),
});

expectRefused("quota-unreachable", {
  "a quota in a task without tools of that category": task("only readOnly  quota { «3 mutatingLocal per task» }"),
  "a larger quota than that of its session": renderFactsPage({
    permit: "auto readOnly } quota { 5 calls per conversation",
    rest: `task mend in operator { quota { «8 calls per turn» } }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});

expectRefused("step-up-without-principal", {
  "a step-up line in a task": task("permit { «stepUp» mutatingLocal }"),
  "a step-up before a phase": task(
    "only readOnly, mutatingLocal  phase look { only readOnly }  phase mend after «stepUp» { suppress notes.list }",
  ),
});

expectRefused("where-unknown-argument", {
  "a misspelt argument in a task": task('permit { consent Files.write where «pth» under "/a" else forbidden }'),
});

expectRefused("where-unsatisfiable", {
  "a condition in a phase": task(
    'phase look { permit { consent Files.write where path under "/a" and «path under "/b"» else forbidden } }',
  ),
});

expectAccepted("quota-unreachable, kept for tasks", {
  "a quota per task, which counts only in tasks": limits("9 calls per task  40 calls per turn").replace(
    "storage {",
    "task look in operator { only readOnly }  storage {",
  ),
});

const boards = (services: string, permit = "consent mutatingLocal  forbidden destructive") =>
  renderFactsPage({
    top: "interface Board { method post : mutatingLocal  method wipe : destructive }",
    services,
    permit,
    rest: "image { target linux  machine vm  boot operator }",
  });

expectRefused("grant-cycle", {
  "of one": boards("service own : Board { grant «own» }"),
  "a cycle of three services, without the service that leads into it": boards(
    "service way : Board { grant a } service a : Board { grant b } service b : Board { grant c } service c : Board { grant «a» }",
  ),
});

expectRefused("grant-wider", {
  "another host": boards(
    'service far : Board { grant Fetch scope "https://a.example" } service near : Board { grant far scope «"https://b.example"» }',
  ),
  "a sibling folder whose name begins the same": boards(
    'service far : Board { grant Fetch scope "/notes" } service near : Board { grant far scope «"/notes-old"», "/notes/new" }',
  ),
});

test("grant-cycle is not reported for two paths to one service, and grant-wider is not reported for a folder if the granted service has only addresses", async () => {
  const text = boards(
    `service a : Board { grant b  grant c scope "/notes" } service b : Board { grant d }
     service c : Board { grant Fetch scope "https://a.example"  grant d } service d : Board {}`,
  );
  const { diagnostics } = await compilePage(text);
  expect(diagnostics.filter(({ code }) => code !== "not-enforced-yet")).toEqual([]);
});

expectRefused("grant-unused", {
  "a grant that only its own service could use": boards(
    "service open : Board {} service shut : Board { «grant Fetch» }",
    "consent mutatingLocal  forbidden destructive, shut.*",
  ),
});

expectRefused("step-up-without-principal", {
  "a release": renderFactsPage({
    top: 'declassify notes.write from secret to public by «stepUp» for operator because "nobody has a key"',
    backends: "backend canned { stub clearance secret }",
    sessions: `session operator { kind operator  clearance secret  models { auto canned }
      permit { auto readOnly  consent mutatingLocal } }`,
  }),
});

const LONG = "a".repeat(65);

expectRefused("name-too-long", {
  "a system": renderFactsPage({}).replace("system sample", `system «${LONG}»`),
  "a task": task("only readOnly").replace("task mend", `task «${LONG}»`),
  "a phase": task(`phase «${LONG}» { only readOnly }`),
  "a backend": renderFactsPage({
    backends: `backend «${LONG}» { stub }`,
    sessions: `session operator { kind operator  models { auto ${LONG} }  permit { auto readOnly } }`,
  }),
});

expectAccepted("name-too-long, kept", {
  "a name of exactly the longest length": renderFactsPage({
    services: `service ${LONG.slice(1)} : Files { state 1 MiB }`,
  }),
});

const posting = (quota: string) =>
  renderFactsPage({
    top: `category posting : mutatingLocal
          interface Board { method post : posting  method wipe : destructive }`,
    services: "service board : Board {}  service notes : Files { state 1 MiB }",
    permit: `auto readOnly  consent mutatingLocal } quota { ${quota}`,
  });

expectRefused("quota-unreachable", {
  "a quota for a subcategory as large as that of its category": posting(
    "4 mutatingLocal per turn  «4 posting per turn»",
  ),
  "a quota for a category per call": limits("«1 readOnly per call»"),
  "a quota for prompts per call": limits("«1 prompts per call»"),
  "a quota for prompts if all tools that would ask are forbidden": renderFactsPage({
    permit:
      "auto readOnly  forbidden mutatingLocal } quota { «5 prompts per turn» } when unattended { atLeast forbidden readOnly",
  }),
});

expectAccepted("quota-unreachable, kept, of other things", {
  "a larger quota for a category than for its subcategory": posting("4 mutatingLocal per turn  3 posting per turn"),
  "a smaller quota for a category beside a larger one for another": limits(
    "3 readOnly per turn  9 mutatingLocal per turn",
  ),
  "a quota for calls and one for prompts": limits("5 calls per turn  9 prompts per turn"),
  "a quota for tokens per call": limits("100 tokens per call"),
});

const asking = (permit: string, rest: string, models = "auto canned") =>
  renderFactsPage({
    top: KEYS,
    sessions: `session operator { kind operator  principals alice  models { ${models} }
                 permit { auto readOnly  ${permit} }  quota { 5 prompts per turn } }`,
    rest: `${rest} storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  });

expectAccepted("quota-unreachable, kept, where something asks", {
  "a step-up": asking("stepUp destructive", ""),
  "a condition that may fail": asking('auto Files.write where path under "/a" else consent', ""),
  "a backend that needs consent": asking("", "", "consent canned"),
  "a backend that needs step-up": asking("", "", "stepUp canned"),
  "a task": asking("", "task look in operator { suppress notes.list }"),
  "a worker": asking("", "worker digest in operator { suppress notes.list }"),
  "a release": asking(
    "auto notes.write",
    'declassify notes.write from internal to public by consent because "CHG-9: a report is made of it"',
  ),
});

expectRefused("quota-unreachable", {
  "a quota for prompts in a session without gates": asking("", "").replace(
    "5 prompts per turn",
    "«5 prompts per turn»",
  ),
});

/** Returns a page with a session that is cleared for internal data and has `atLeast` lines. */
const floors = (when: string, rest = "") =>
  renderFactsPage({
    top: "compartments { hr, pay }",
    backends: "backend canned { stub  clearance internal:{hr} }",
    sessions: `session operator { kind operator  clearance internal:{hr}  models { auto canned }
                 permit { auto readOnly  consent mutatingLocal  forbidden destructive }  ${when} } ${rest}`,
  });

expectRefused("floor-never-reached", {
  "one message for a block of several lines": floors(
    "when «confidentiality >= secret» { atLeast consent readOnly  atLeast forbidden mutatingLocal }",
  ),
  "the one of two compartments for which the session is not cleared": floors(
    "when «compartment hr» and compartment pay { atLeast consent readOnly }",
  ),
});

expectRefused("floor-changes-nothing", {
  "a floor for a suppressed tool": floors(
    "suppress notes.list when integrity <= untrusted { atLeast consent «notes.list» }",
  ),
  "one of two patterns": floors("when integrity <= untrusted { atLeast consent readOnly, «mutatingLocal» }"),
});

expectAccepted("floor-never-reached and floor-changes-nothing, kept", {
  "the highest level for which the session is cleared": floors(
    "when confidentiality >= internal { atLeast consent readOnly }",
  ),
  "a compartment for which the session is cleared": floors("when compartment hr { atLeast consent readOnly }"),
  "a session that another one extends": floors(
    "when confidentiality >= secret { atLeast consent readOnly }",
    "session night extends operator { suppress notes.list }",
  ),
  "an abstract session": floors(
    "",
    `abstract session base { kind operator  models { auto canned }  permit { auto readOnly }
       when confidentiality >= secret { atLeast consent readOnly } }`,
  ),
});

expectRefused("grant-above-label", {
  "a compartment that the holder lacks": boards(
    "service far : Board { label public:{hr} } service near : Board { label secret  grant «far» }",
  ).replace("interface Board", "compartments { hr }\ninterface Board"),
});

expectRefused("grant-not-provided", {
  "an interface that no service provides": boards("service near : Board { grant «Kiosk» }").replace(
    "interface Board",
    "interface Kiosk { method look : readOnly }\ninterface Board",
  ),
});

expectRefused("grant-twice", {
  "one interface": boards('service near : Board { grant Fetch scope "/a"  grant «Fetch» }'),
});

expectRefused("grant-wider", {
  "the parent folder": boards(
    'service far : Board { grant Fetch scope "/a/b/" } service near : Board { grant far scope "/a/b", «"/a"» }',
  ),
});

test("grant-cycle names only the services in the cycle, not those that lead to it", async () => {
  const { diagnostics } = await compilePage(
    boards(
      "service way : Board { grant a } service a : Board { grant b } service b : Board { grant a  grant c } service c : Board {}",
    ),
  );
  const messages = diagnostics.filter(({ code }) => code === "grant-cycle").map(({ message }) => message);
  expect(messages).toEqual(["these services hold grants of each other in a cycle: a → b → a"]);
});

expectAccepted("grant-unused and grant-wider, kept", {
  "a grant that another service uses": boards(
    "service open : Board { grant shut } service shut : Board { grant Fetch }",
    "consent mutatingLocal  forbidden destructive, shut.*",
  ),
  "folders within one of several scopes": boards(
    `service far : Board { grant Fetch scope "/a/", "/b" }
     service near : Board { grant far scope "/a/x", "/b", "/a" }`,
  ),
});

expectAccepted("reason-empty, kept", {
  "a text without words that is not a reason": renderFactsPage({
    permit: 'auto readOnly  consent Files.write where path under "/" else forbidden',
  }),
  "the number of a change": renderFactsPage({
    sessions: `session day { kind operator models { auto canned } permit { auto readOnly consent Files.write } }
               session operator extends day { widen { auto notes.write } because "1182" }`,
  }),
});

expectRefused("reason-empty", {
  "an empty reason of a line": renderFactsPage({ permit: 'auto readOnly because «"…"»' }),
  "an empty reason of a release": renderFactsPage({
    rest: `declassify notes.write from internal to public by consent because «""»
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});

const codesOf = async (text: string) => [...new Set((await compilePage(text)).diagnostics.map(({ code }) => code))];

test.each([
  [
    "a service with an error",
    renderFactsPage({
      services: "service notes : Files { state 1 MiB }  service lost : Filez {}",
      permit: "auto readOnly } only notes.* suppress admin quota { 5 calls per turn",
    }),
    "unknown-name",
  ],
  [
    "part of a session with a syntax error",
    renderFactsPage({ permit: "auto readOnly } only notes.* suppress notes.read, notes.read quot { 5" }),
    "syntax",
  ],
  [
    "a page without tools",
    renderFactsPage({ services: "", permit: "auto notes.read } suppress admin quota { 5 calls per turn" }),
    "unknown-name",
  ],
])("only-removes-nothing and suppress-removes-nothing are not reported beside %s", async (_, text, code) => {
  const codes = await codesOf(text);
  expect(codes).toContain(code);
  expect(codes.filter((found) => found.endsWith("-removes-nothing"))).toEqual([]);
});

test("suppress-removes-nothing is not reported for a pattern without tools, because rule-never-matches is reported", async () => {
  expect(await codesOf(renderFactsPage({ permit: "auto readOnly } suppress admin quota { 5 calls per turn" }))).toEqual(
    ["rule-never-matches"],
  );
});

expectRefused("suppress-removes-nothing", {
  "three equal patterns, at all but the first": renderFactsPage({
    permit: "auto readOnly } suppress notes.write, «notes.write», «notes.write» quota { 5 calls per turn",
  }),
});

expectRefused("quota-unreachable", {
  "a quota per task in a session without tasks": limits("«3 calls per task»"),
});

expectAccepted("a quota per task", {
  "a quota of an extended session, for tasks of the session that extends it": renderFactsPage({
    sessions: `abstract session day { kind operator  models { auto canned }  permit { auto readOnly } quota { 3 calls per task } }
      session operator extends day {}  task look in operator { only notes.read }`,
  }),
});

test("more tools than an image supports are accepted by a check, but not by a build", async () => {
  const services = (count: number) =>
    renderFactsPage({ services: Array.from({ length: count }, (_, at) => `service s${at} : Files {}`).join("\n") });
  const said = async (count: number) =>
    (await compilePage(services(count))).diagnostics.filter(({ message }) => message.includes("a system of"));
  expect(await said(2500)).toEqual([]);
  expect(await said(2501)).toMatchObject([
    { severity: "error", message: "the image cannot enforce a system of 10004 tools yet" },
  ]);
});
