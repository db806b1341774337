import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const lines = (text: string) => renderFactsPage({ permit: `auto readOnly  ${text}` });
const REPORTS = 'auto notes.write where path under "/reports" else consent';
const OLD = 'path under "/reports/old"';

expectRefused("line-never-decides", {
  "a folder in a stricter one": lines(
    `«auto notes.write where ${OLD} else consent»  consent notes.write where path under "/reports" else consent`,
  ),
  "a size that a stricter line allows as well": lines(
    "«auto notes.write where size(content) <= 1 KiB else forbidden»  consent notes.write where size(content) <= 2 KiB else forbidden",
  ),
  "more conditions that are always met then": lines(
    `«forbidden notes.write where ${OLD} else consent»  auto notes.write where ${OLD} and path under "/reports" else consent`,
  ),
  "all tools of a pattern": lines(
    '«auto Files.write where path under "/a/b" else consent»  forbidden Files.write where path under "/a" else consent',
  ),
  "a widening of a session, beside another one": renderFactsPage({
    sessions: `session day { kind operator  models { auto canned }  permit { auto readOnly  forbidden notes.write } }
      session operator extends day {
        widen { «auto notes.write where ${OLD} else consent» } because "CHG-1: reports"
        widen { consent notes.write where path under "/reports" else consent } because "CHG-2: all of them"
      }`,
  }),
});

const STRICTER = 'consent notes.write where path under "/reports" else consent';

expectRefused("line-never-decides", {
  "and says that the other line is stricter, with more conditions that are always met": [
    lines(
      '«auto notes.write where path under "/a/b/c" else consent»  consent notes.write where path under "/a/b" and path under "/a" else consent',
    ),
    "matches too and is stricter; leave the line out, or give it all conditions of the other line beside its own, if `auto`",
  ],
  "and says that the other line is more specific": [
    lines(
      `«forbidden notes.write where ${OLD} else consent»  auto notes.write where ${OLD} and path under "/reports" else consent`,
    ),
    "matches too and is more specific; leave one of the lines out, or correct its conditions",
  ],
  "among as many lines as are compared": lines(
    `«auto notes.write where ${OLD} else consent»  ${STRICTER} ${others(254)}`,
  ),
});

/** Returns lines about folders that no other line covers. */
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
  "of a condition that does not fit line-never-decides says nothing": lines(
    `auto notes.write where «path == "/a"» else consent  ${STRICTER}`,
  ),
  "of a line whose other line does not fit line-never-decides says nothing": lines(
    `auto notes.write where ${OLD} else consent  consent notes.write where «path != "/reports"» else consent`,
  ),
});

expectRefused("where-unknown-argument", {
  "of an argument that is not there line-never-decides says nothing": lines(
    'auto notes.write where «pth» under "/a/b" else consent  consent notes.write where «pth» under "/a" else consent',
  ),
});

expectRefused("where-unsatisfiable", {
  "of a line that matches nothing line-never-decides says nothing": lines(
    'auto notes.write where path under "/a" and «path under "/b"» else consent  consent notes.write where path under "/c" else consent',
  ),
});

expectRefused("rule-conflict", {
  "of two lines with the same conditions line-never-decides says nothing": lines(
    `auto notes.write where ${OLD} else consent  consent «notes.write» where ${OLD} else consent`,
  ),
});

expectRefused("else-never-reached", {
  "beside a line without a condition": lines(
    'auto notes.write where path under "/a" else «forbidden»  consent notes.write',
  ),
  "for one of two patterns": lines(
    'auto notes.write, notes.delete where path under "/a" else «forbidden»  consent notes.write',
  ),
});

expectAccepted("line-never-decides, kept", {
  "two folders, of which none holds the other": lines(
    `${REPORTS}  auto notes.write where path under "/night" else consent`,
  ),
  "a stricter folder in the other one": lines(`${REPORTS}  consent notes.write where ${OLD} else consent`),
  "an exception with all conditions of the other line": lines(
    `consent notes.write where path under "/reports" else forbidden  auto notes.write where path under "/reports" and ${OLD} else forbidden`,
  ),
  "a stricter line that a third one displaces somewhere": lines(
    `auto notes.write where ${OLD} else consent
     consent notes.write where path under "/reports" else consent
     auto notes.write where path under "/reports" and size(content) <= 1 KiB else consent`,
  ),
  "a bound of another argument": BUY("count <= 3", "size.width <= 5"),
  "more conditions, and the same mode": lines(
    `auto notes.write where ${OLD} else consent  auto notes.write where ${OLD} and size(content) <= 1 KiB else consent`,
  ),
  "one line more than are compared with each other": lines(
    `auto notes.write where ${OLD} else consent  ${STRICTER} ${others(255)}`,
  ),
  "a weaker else": lines(`${REPORTS}  auto notes.write where size(content) <= 1 KiB else forbidden`),
  "an else that says what the other line does": lines(`${REPORTS}  consent notes.write`),
  "conditions of two arguments": lines(`${REPORTS}  consent notes.write where size(content) <= 1 KiB else consent`),
  "a session that narrows another one": renderFactsPage({
    sessions: `session day { kind operator  models { auto canned }  permit { auto readOnly  ${REPORTS} } }
      session operator extends day { permit { forbidden notes.write } }`,
  }),
});
