import { expectAdvised, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const lines = (text: string) => renderFactsPage({ permit: `auto readOnly  ${text}` });
const REPORTS = 'auto notes.write where path under "/reports" else consent';

expectAdvised("mode-never-reached", {
  "two folders, of which none holds the other": lines(
    `«${REPORTS}»  «auto notes.write where path under "/night" else consent»`,
  ),
  "an unconditional line": lines(`«${REPORTS}»  consent notes.write`),
  "the other side of the same condition": lines(
    `«${REPORTS}»  «consent notes.write where path under "/reports" else auto»`,
  ),
  "a stricter answer to the same condition": lines(
    `«${REPORTS}»  consent notes.write where path under "/reports" else forbidden`,
  ),
  "two sizes": lines(
    "«auto notes.write where size(content) <= 1 KiB else consent»  «auto notes.write where size(content) > 1 KiB else consent»",
  ),
  "all tools of a pattern": lines(
    '«auto Files.* where path under "/a" else consent»  «auto Files.* where path under "/b" else consent»',
  ),
  "two widenings of a session": renderFactsPage({
    sessions: `session day { kind operator  models { auto canned }  permit { auto readOnly  consent notes.write } }
      session operator extends day {
        widen { «${REPORTS}» } because "CHG-1: reports"
        widen { «auto notes.write where path under "/night" else consent» } because "CHG-2: the night"
      }`,
  }),
});

expectAdvised("mode-never-reached", {
  "a folder in the other one": lines(`${REPORTS}  auto notes.write where path under "/reports/old" else consent`),
  "conditions of two arguments": lines(`${REPORTS}  auto notes.write where size(content) <= 1 KiB else consent`),
  "folders that are forbidden": lines(
    'forbidden notes.write where path under "/a" else consent  forbidden notes.write where path under "/b" else consent',
  ),
  "lines of two patterns": lines(`${REPORTS}  consent mutatingLocal`),
  "a session that narrows another one": renderFactsPage({
    sessions: `session day { kind operator  models { auto canned }  permit { auto readOnly  ${REPORTS} } }
      session operator extends day { permit { consent notes.write } }`,
  }),
});
