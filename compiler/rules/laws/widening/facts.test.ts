import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = "image { target linux  machine vm  boot operator }";
const BOARD = (sessions: string, top = "") =>
  renderFactsPage({
    top: `${top} interface Board { method post : mutatingLocal  method wipe : admin }`,
    services: "service board : Board {}",
    backends: `backend canned { stub  clearance secret } ${sessions.includes("spare") ? "backend spare { stub  clearance secret }" : ""}`,
    sessions,
    rest: END,
  });
const DAY = (rest = "", kind = "operator") =>
  `session day { kind ${kind}  models { auto canned }  permit { consent board.post } ${rest} }`;
const WIDE = (change: string, until = "") => `widen { ${change} } because "CHG-1: a night of work" ${until}`;
const HEIR = (change: string, until = "") => `session operator extends day { ${WIDE(change, until)} }`;

expectRefused("wrong-date", {
  "a word instead of a date": BOARD(DAY() + HEIR("auto board.post", 'until «"soon"»')),
  "a date with a time": BOARD(DAY() + HEIR("auto board.post", 'until «"2999-01-31T00:00"»')),
  "a date with a word before it": BOARD(DAY() + HEIR("auto board.post", 'until «"on 2999-01-31"»')),
  "a month": BOARD(DAY() + HEIR("auto board.post", 'until «"2999-02"»')),
  "a year of six digits, with a sign": BOARD(DAY() + HEIR("auto board.post", 'until «"+012999-01-31"»')),
  "a year of five digits": BOARD(DAY() + HEIR("auto board.post", 'until «"12999-01-31"»')),
  "a month that does not exist": BOARD(DAY() + HEIR("auto board.post", 'until «"2999-13-01"»')),
  "a day that does not exist in its month": BOARD(DAY() + HEIR("auto board.post", 'until «"2999-02-29"»')),
});

expectAccepted("widen-expired, kept", {
  "a widening on its last day": BOARD(DAY() + HEIR("auto board.post", 'until "2026-01-01"')),
  "a last day of February in a leap year": BOARD(DAY() + HEIR("auto board.post", 'until "2028-02-29"')),
});

expectRefused("widen-expired", {
  "a widening on the day after its last": BOARD(DAY() + HEIR("auto board.post", 'until «"2025-12-31"»')),
});

const ALONE = (kind: string, change: string) =>
  `session operator { kind ${kind}  models { auto canned }  permit { consent board.post  auto readOnly in Board } ${WIDE(change)} }`;

expectRefused("widen-without-parent", {
  "models, clearance and quotas": BOARD(
    `session operator { kind operator  models { auto canned }  permit { consent board.post }
       widen { models { «auto spare» }  clearance «internal»  quota { «9 calls per turn» } } because "CHG-1: a night" }`,
  ).replace("permit { consent board.post }", "permit { consent board.post }  quota { 3 calls per turn }"),
  "administration by an operator, who may have it without a widening": BOARD(
    ALONE("operator", "consent «board.wipe»").replace("auto readOnly in Board", ""),
  ),
  "a tool that a guest may have without a widening": BOARD(
    ALONE("guest", "auto «board.post»").replace("auto readOnly in Board", ""),
  ),
});

expectRefused("widen-without-parent", {
  "a session, which the message names": [
    BOARD(ALONE("operator", "consent «board.wipe»").replace("auto readOnly in Board", "")),
    "`operator`",
  ],
});

expectRefused("rule-never-matches", {
  "a pattern without tools, which widen-changes-nothing does not report": BOARD(
    DAY() + HEIR("auto board.post  auto «outboundNet»"),
  ),
});

expectUnsaid(
  "widen-changes-nothing",
  {
    "a syntax error in the page": BOARD(`${DAY()} ${HEIR("consent board.post")} sessio`),
    "a session with a syntax error in another file": BOARD(`use "night.cap" ${DAY().replace("day", "operator")}`),
  },
  {
    "/night.cap": `abstract session late { kind operator  permit { consent Board.post } }
      session night extends late { widen { consent Board.post } because "CHG-1: a night"  models { auto } }`,
  },
);

expectAccepted("widen-without-parent, kept", {
  "administration by a guest": BOARD(ALONE("guest", "consent board.wipe").replace("auto readOnly in Board", "")),
  "all tools of an interface with administration": BOARD(
    ALONE("guest", "auto board.*").replace("auto readOnly in Board", ""),
  ),
  "a category of the page": BOARD(
    `session operator { kind operator  models { auto canned }  permit { consent posting } ${WIDE("auto posting")} }`,
    "category posting : mutatingLocal",
  ).replace("post : mutatingLocal", "post : posting"),
});

expectRefused("widen-changes-nothing", {
  "a tool that the session suppresses": BOARD(DAY("suppress board.wipe") + HEIR("auto board.post  auto «board.wipe»")),
  "a tool without a line, which the widening forbids": BOARD(DAY() + HEIR("auto board.post  forbidden «board.wipe»")),
  "administration by a guest, which the widening forbids": BOARD(
    DAY("", "guest").replace("consent board.post", "consent board.*") + HEIR("auto board.post  forbidden «board.wipe»"),
  ),
  "the same mode for administration by an operator": BOARD(
    DAY().replace("consent board.post", "consent board.*") + HEIR("auto board.post  consent «board.wipe»"),
  ),
  "the same mode as the line": BOARD(DAY() + HEIR("consent «board.post»  consent board.wipe")),
  "one of two patterns": BOARD(DAY() + HEIR("consent «board.post», board.wipe")),
  "the same quota and a smaller one": BOARD(
    DAY("quota { 5 calls per turn  5 prompts per turn }") +
      HEIR("quota { «5 calls per turn»  «4 prompts per turn» }  consent board.wipe"),
  ),
  "a quota that the base does not have": BOARD(DAY() + HEIR("quota { «5 calls per turn» }  auto board.post")),
  "a backend in the same mode and one in a stricter mode": BOARD(
    DAY().replace("auto canned", "consent canned  auto spare") +
      HEIR("models { «consent canned»  «stepUp spare» }  auto board.post"),
  )
    .replace("service board", 'principal alice { ssh "keys/alice.pub" }  service board')
    .replace("kind operator", "kind operator principals alice"),
  "the same clearance": BOARD(DAY("clearance internal") + HEIR("clearance «internal»  auto board.post")),
  "a lower clearance": BOARD(DAY("clearance internal") + HEIR("clearance «public»  auto board.post")),
  "a clearance that requires more trust": BOARD(
    DAY("clearance internal") + HEIR("clearance «internal/reviewed»  auto board.post"),
  ),
});

const FILES = (line: string, wide: string) =>
  renderFactsPage({
    services: "service papers : Files { state 1 MiB }",
    sessions: `session day { kind operator  models { auto canned }  permit { ${line} } }
      session operator extends day { widen { ${wide} } because "CHG-1: the night shift" }`,
  });
const REPORTS = 'auto papers.write where path under "/reports" else consent';

expectRefused("widen-changes-nothing", {
  "the same folder": FILES(REPORTS, 'auto «papers.write» where path under "/reports" else consent'),
  "a folder inside of the other one": FILES(
    REPORTS,
    'auto «papers.write» where path under "/reports/old" else consent',
  ),
  "the same size and a smaller one": FILES(
    "auto papers.write where size(content) <= 64 KiB else consent",
    "auto «papers.write» where size(content) <= 1 KiB else consent",
  ),
});

expectAccepted("widen-changes-nothing, kept where a condition is another one", {
  "another folder": FILES(REPORTS, 'auto papers.write where path under "/night" else consent'),
  "a folder that contains the other one": FILES(REPORTS, 'auto papers.write where path under "/" else consent'),
  "a larger size": FILES(
    "auto papers.write where size(content) <= 16 KiB else consent",
    "auto papers.write where size(content) <= 32 KiB else consent",
  ),
  "one of two conditions": FILES(
    'auto papers.write where path under "/reports" and size(content) <= 64 KiB else consent',
    REPORTS,
  ),
});

expectAccepted("widen-changes-nothing, kept", {
  "a tool without a line": BOARD(DAY() + HEIR("consent board.wipe")),
  "administration by a guest, which the base also widened": BOARD(
    `session first { kind guest  models { auto canned }  permit { consent board.post } }
     session day extends first { ${WIDE("consent board.wipe")} }
     session operator extends day { ${WIDE("consent board.wipe")} }`,
  ),
  "administration by a guest, which a line alone does not allow": BOARD(
    DAY("", "guest").replace("consent board.post", "auto board.*") + HEIR("consent board.wipe"),
  ),
  "a pattern of which one tool becomes looser": BOARD(
    DAY().replace("consent board.post", "auto board.post  consent board.wipe") + HEIR("auto board.*"),
  ),
  "a larger quota": BOARD(DAY("quota { 5 calls per turn }") + HEIR("quota { 6 calls per turn }")),
  "a looser backend": BOARD(DAY().replace("auto canned", "consent canned") + HEIR("models { auto canned }")),
  "another backend": BOARD(DAY().replace("auto canned", "consent canned") + HEIR("models { consent spare }")),
  "a clearance that requires less trust": BOARD(
    DAY("clearance internal/reviewed") + HEIR("clearance internal/untrusted"),
  ),
});
