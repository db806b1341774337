import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const lines = (text: string) => renderFactsPage({ permit: `auto readOnly  ${text}` });
const REPORTS = 'auto notes.write where path under "/reports" else consent';
const OLD = 'path under "/reports/old"';

expectRefused("line-never-decides", {
  "a folder inside the one of a stricter line": lines(
    `«auto notes.write where ${OLD} else consent»  consent notes.write where path under "/reports" else consent`,
  ),
  "a size that a stricter line also allows": lines(
    "«auto notes.write where size(content) <= 1 KiB else forbidden»  consent notes.write where size(content) <= 2 KiB else forbidden",
  ),
  "a line with more conditions, which hold whenever the first one does": lines(
    `«forbidden notes.write where ${OLD} else consent»  auto notes.write where ${OLD} and path under "/reports" else consent`,
  ),
  "all tools of a pattern": lines(
    '«auto Files.write where path under "/a/b" else consent»  forbidden Files.write where path under "/a" else consent',
  ),
  "a line of a widening, beside one of another widening": renderFactsPage({
    sessions: `session day { kind operator  models { auto canned }  permit { auto readOnly  forbidden notes.write } }
      session operator extends day {
        widen { «auto notes.write where ${OLD} else consent» } because "CHG-1: reports"
        widen { consent notes.write where path under "/reports" else consent } because "CHG-2: all of them"
      }`,
  }),
});

const STRICTER = 'consent notes.write where path under "/reports" else consent';

expectRefused("line-never-decides", {
  "a stricter line with more conditions, which the help tells how to avoid": [
    lines(
      '«auto notes.write where path under "/a/b/c" else consent»  consent notes.write where path under "/a/b" and path under "/a" else consent',
    ),
    "matches too and is stricter; leave the rule out; if `auto` should be an exception from the other rule, add all conditions of the other rule",
  ],
  "a more specific line, which the message names": [
    lines(
      `«forbidden notes.write where ${OLD} else consent»  auto notes.write where ${OLD} and path under "/reports" else consent`,
    ),
    "matches too and is more specific; leave one of the rules out, or correct its conditions",
  ],
  "a line among the largest number of lines that are compared": lines(
    `«auto notes.write where ${OLD} else consent»  ${STRICTER} ${others(254)}`,
  ),
});

/** Returns rules about different folders, so that none covers another. */
function others(count: number): string {
  return Array.from({ length: count }, (_, at) => `auto notes.write where path under "/d${at}" else consent`).join(
    "  ",
  );
}

const BUY = (where: string, other: string) =>
  renderFactsPage({
    top: "interface Shop { method buy : destructive  arg price is money EUR  arg from is url }",
    services: "service shop : Shop {}",
    permit: `auto shop.buy where ${where} else consent  consent shop.buy where ${other} else consent`,
    rest: "image { target linux  machine vm  boot operator }",
  });

expectRefused("where-wrong-type", {
  "a condition of the wrong type, which line-never-decides does not report": lines(
    `auto notes.write where «path == "/a"» else consent  ${STRICTER}`,
  ),
  "another line of the wrong type, which line-never-decides does not report": lines(
    `auto notes.write where ${OLD} else consent  consent notes.write where «path != "/reports"» else consent`,
  ),
});

expectRefused("where-unknown-argument", {
  "an unknown argument, which line-never-decides does not report": lines(
    'auto notes.write where «pth» under "/a/b" else consent  consent notes.write where «pth» under "/a" else consent',
  ),
});

expectRefused("where-unsatisfiable", {
  "a line that never matches, which line-never-decides does not report": lines(
    'auto notes.write where path under "/a" and «path under "/b"» else consent  consent notes.write where path under "/c" else consent',
  ),
});

expectRefused("rule-conflict", {
  "two lines with the same conditions, which line-never-decides does not report": lines(
    `auto notes.write where ${OLD} else consent  consent «notes.write» where ${OLD} else consent`,
  ),
});

expectRefused("else-never-reached", {
  "an `else` beside a line without a condition": lines(
    'auto notes.write where path under "/a" else «forbidden»  consent notes.write',
  ),
  "an `else` for one of two patterns": lines(
    'auto notes.write, notes.delete where path under "/a" else «forbidden»  consent notes.write',
  ),
});

expectAccepted("line-never-decides, kept", {
  "two folders that are not nested": lines(`${REPORTS}  auto notes.write where path under "/night" else consent`),
  "a stricter line for a folder inside the other one": lines(
    `${REPORTS}  consent notes.write where ${OLD} else consent`,
  ),
  "an exception with all conditions of the other line": lines(
    `consent notes.write where path under "/reports" else forbidden  auto notes.write where path under "/reports" and ${OLD} else forbidden`,
  ),
  "a stricter line that a third one displaces for some calls": lines(
    `auto notes.write where ${OLD} else consent
     consent notes.write where path under "/reports" else consent
     auto notes.write where path under "/reports" and size(content) <= 1 KiB else consent`,
  ),
  "bounds of different arguments": BUY("count <= 3", "size.width <= 5"),
  "more conditions, and the same mode": lines(
    `auto notes.write where ${OLD} else consent  auto notes.write where ${OLD} and size(content) <= 1 KiB else consent`,
  ),
  "more lines than are compared with each other": lines(
    `auto notes.write where ${OLD} else consent  ${STRICTER} ${others(255)}`,
  ),
  "a weaker else": lines(`${REPORTS}  auto notes.write where size(content) <= 1 KiB else forbidden`),
  "an `else` with the mode of the other line": lines(`${REPORTS}  consent notes.write`),
  "conditions of two arguments": lines(`${REPORTS}  consent notes.write where size(content) <= 1 KiB else consent`),
  "a session that narrows another one": renderFactsPage({
    sessions: `session day { kind operator  models { auto canned }  permit { auto readOnly  ${REPORTS} } }
      session operator extends day { permit { forbidden notes.write } }`,
  }),
});
