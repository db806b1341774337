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
  "no day at all": BOARD(DAY() + HEIR("auto board.post", 'until «"soon"»')),
  "a day and more": BOARD(DAY() + HEIR("auto board.post", 'until «"2999-01-31T00:00"»')),
  "more and a day": BOARD(DAY() + HEIR("auto board.post", 'until «"on 2999-01-31"»')),
  "a month": BOARD(DAY() + HEIR("auto board.post", 'until «"2999-02"»')),
  "a year of six digits, with a sign": BOARD(DAY() + HEIR("auto board.post", 'until «"+012999-01-31"»')),
  "a year of five digits": BOARD(DAY() + HEIR("auto board.post", 'until «"12999-01-31"»')),
  "a month that is none": BOARD(DAY() + HEIR("auto board.post", 'until «"2999-13-01"»')),
  "a day that its month has not": BOARD(DAY() + HEIR("auto board.post", 'until «"2999-02-29"»')),
});

expectAccepted("widen-expired, kept", {
  "its last day": BOARD(DAY() + HEIR("auto board.post", 'until "2026-01-01"')),
  "the last of February": BOARD(DAY() + HEIR("auto board.post", 'until "2028-02-29"')),
});

expectRefused("widen-expired", { "the day after": BOARD(DAY() + HEIR("auto board.post", 'until «"2025-12-31"»')) });

const ALONE = (kind: string, change: string) =>
  `session operator { kind ${kind}  models { auto canned }  permit { consent board.post  auto readOnly in Board } ${WIDE(change)} }`;

expectRefused("widen-without-parent", {
  "models, clearance and quotas": BOARD(
    `session operator { kind operator  models { auto canned }  permit { consent board.post }
       widen { models { «auto spare» }  clearance «internal»  quota { «9 calls per turn» } } because "CHG-1: a night" }`,
  ).replace("permit { consent board.post }", "permit { consent board.post }  quota { 3 calls per turn }"),
  "administration by an operator, who needs none": BOARD(
    ALONE("operator", "consent «board.wipe»").replace("auto readOnly in Board", ""),
  ),
  "what a guest may do without": BOARD(ALONE("guest", "auto «board.post»").replace("auto readOnly in Board", "")),
});

expectRefused("widen-without-parent", {
  "which names the session": [
    BOARD(ALONE("operator", "consent «board.wipe»").replace("auto readOnly in Board", "")),
    "`operator`",
  ],
});

expectRefused("rule-never-matches", {
  "of a pattern without a tool widen-changes-nothing says nothing": BOARD(
    DAY() + HEIR("auto board.post  auto «outboundNet»"),
  ),
});

expectUnsaid(
  "widen-changes-nothing",
  {
    "where part of the page was lost": BOARD(`${DAY()} ${HEIR("consent board.post")} sessio`),
    "of a session that was cut off in a file of its own": BOARD(`use "night.cap" ${DAY().replace("day", "operator")}`),
  },
  {
    "/night.cap": `abstract session late { kind operator  permit { consent Board.post } }
      session night extends late { widen { consent Board.post } because "CHG-1: a night"  models { auto } }`,
  },
);

expectAccepted("widen-without-parent, kept", {
  "administration by a guest": BOARD(ALONE("guest", "consent board.wipe").replace("auto readOnly in Board", "")),
  "all of a board that has administration": BOARD(ALONE("guest", "auto board.*").replace("auto readOnly in Board", "")),
  "a category of one's own": BOARD(
    `session operator { kind operator  models { auto canned }  permit { consent posting } ${WIDE("auto posting")} }`,
    "category posting : mutatingLocal",
  ).replace("post : mutatingLocal", "post : posting"),
});

expectRefused("widen-changes-nothing", {
  "what does not exist in the session": BOARD(DAY("suppress board.wipe") + HEIR("auto board.post  auto «board.wipe»")),
  "to forbid what nothing covers": BOARD(DAY() + HEIR("auto board.post  forbidden «board.wipe»")),
  "to forbid administration to a guest": BOARD(
    DAY("", "guest").replace("consent board.post", "consent board.*") + HEIR("auto board.post  forbidden «board.wipe»"),
  ),
  "a mode that a line of administration had, of an operator": BOARD(
    DAY().replace("consent board.post", "consent board.*") + HEIR("auto board.post  consent «board.wipe»"),
  ),
  "a mode that the line had": BOARD(DAY() + HEIR("consent «board.post»  consent board.wipe")),
  "one of two patterns": BOARD(DAY() + HEIR("consent «board.post», board.wipe")),
  "the same amount, and less": BOARD(
    DAY("quota { 5 calls per turn  5 prompts per turn }") +
      HEIR("quota { «5 calls per turn»  «4 prompts per turn» }  consent board.wipe"),
  ),
  "a quota that nobody has": BOARD(DAY() + HEIR("quota { «5 calls per turn» }  auto board.post")),
  "a backend in the mode that it had, and a stricter one": BOARD(
    DAY().replace("auto canned", "consent canned  auto spare") +
      HEIR("models { «consent canned»  «stepUp spare» }  auto board.post"),
  )
    .replace("service board", 'principal alice { ssh "keys/alice.pub" }  service board')
    .replace("kind operator", "kind operator principals alice"),
  "the same clearance": BOARD(DAY("clearance internal") + HEIR("clearance «internal»  auto board.post")),
  "a clearance below": BOARD(DAY("clearance internal") + HEIR("clearance «public»  auto board.post")),
  "a clearance that asks for more trust": BOARD(
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
  "a folder within it": FILES(REPORTS, 'auto «papers.write» where path under "/reports/old" else consent'),
  "the same size, and less": FILES(
    "auto papers.write where size(content) <= 64 KiB else consent",
    "auto «papers.write» where size(content) <= 1 KiB else consent",
  ),
});

expectAccepted("widen-changes-nothing, kept where a condition is another one", {
  "another folder": FILES(REPORTS, 'auto papers.write where path under "/night" else consent'),
  "a folder around it": FILES(REPORTS, 'auto papers.write where path under "/" else consent'),
  "a larger size": FILES(
    "auto papers.write where size(content) <= 16 KiB else consent",
    "auto papers.write where size(content) <= 32 KiB else consent",
  ),
  "of two conditions one": FILES(
    'auto papers.write where path under "/reports" and size(content) <= 64 KiB else consent',
    REPORTS,
  ),
});

expectAccepted("widen-changes-nothing, kept", {
  "what nothing covered": BOARD(DAY() + HEIR("consent board.wipe")),
  "administration by a guest, which the base had widened as well": BOARD(
    `session first { kind guest  models { auto canned }  permit { consent board.post } }
     session day extends first { ${WIDE("consent board.wipe")} }
     session operator extends day { ${WIDE("consent board.wipe")} }`,
  ),
  "administration by a guest, whatever a line says": BOARD(
    DAY("", "guest").replace("consent board.post", "auto board.*") + HEIR("consent board.wipe"),
  ),
  "a pattern of which one tool is widened": BOARD(
    DAY().replace("consent board.post", "auto board.post  consent board.wipe") + HEIR("auto board.*"),
  ),
  "more of a quota": BOARD(DAY("quota { 5 calls per turn }") + HEIR("quota { 6 calls per turn }")),
  "a looser backend": BOARD(DAY().replace("auto canned", "consent canned") + HEIR("models { auto canned }")),
  "another backend": BOARD(DAY().replace("auto canned", "consent canned") + HEIR("models { consent spare }")),
  "a clearance that asks for less trust": BOARD(
    DAY("clearance internal/reviewed") + HEIR("clearance internal/untrusted"),
  ),
});
