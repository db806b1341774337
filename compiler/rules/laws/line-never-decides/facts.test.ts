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
  "a weaker else": lines(`${REPORTS}  auto notes.write where size(content) <= 1 KiB else forbidden`),
  "an else that says what the other line does": lines(`${REPORTS}  consent notes.write`),
  "conditions of two arguments": lines(`${REPORTS}  consent notes.write where size(content) <= 1 KiB else consent`),
  "a session that narrows another one": renderFactsPage({
    sessions: `session day { kind operator  models { auto canned }  permit { auto readOnly  ${REPORTS} } }
      session operator extends day { permit { forbidden notes.write } }`,
  }),
});
