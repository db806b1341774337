// Tests which arguments fit conditions on dates and durations.

import { expectFits, expectMisfits } from "./testing/misfits.ts";

const notText = (term: string) => ({ why: "it is not a text", instead: `\`${term}\` is for texts` });
const DATE = { why: "that is not a date", instead: 'write it as "2026-12-31" or "2026-12-31T10:00:00Z"' };
const DURATION = { why: "that is not a duration", instead: 'write it as `5 min`, `30 s` or "PT5M"' };

expectFits([
  ["text", 'date(it) < "2026-12-31"'],
  ["meant text", 'date(it) >= "2026-12-31T10:00:00Z"'],
  ["text", 'date(it) in ["2026-12-31", "2027-01-31"]'],
  ["text in a list", 'every(date(it)) != "2026-12-31"'],
  ["text", "duration(it) <= 5 min"],
  ["meant text", 'duration(it) == "PT5M"'],
  ["text", 'duration(it) in [30 s, "5 min"]'],
]);

expectMisfits([
  ["path", 'date(it) < "2026-12-31"', notText("date")],
  ["url", 'date(it) < "2026-12-31"', notText("date")],
  ["program", "duration(it) < 5 min", notText("duration")],
  ["money", "duration(it) < 5 min", notText("duration")],
  ["integer", 'date(it) < "2026-12-31"', notText("date")],
  ["list", "duration(it) < 5 min", notText("duration")],
  ["text", 'date(it) < "31.12.2026"', DATE],
  ["text", "date(it) < 3", DATE],
  ["text", "date(it) < 3 KiB", DATE],
  ["text", "date(it) == true", DATE],
  ["text", 'date(it) in ["2026-12-31", "tomorrow"]', DATE],
  ["text", 'date(it) under "2026-12-31"', DATE],
  ["text", 'date(it) startsWith "2026-12-31"', DATE],
  ["text", 'date(it) endsWith "2026-12-31"', DATE],
  ["text", 'date(it) matches "2026-12-31"', DATE],
  ["text", "duration(it) < 3", DURATION],
  ["text", 'duration(it) < "a day"', DURATION],
  ["text", 'duration(it) < "2026-12-31"', DURATION],
  ["text", "duration(it) in [30 s, 3]", DURATION],
  ["text", 'duration(it) under "PT5M"', DURATION],
  ["text", 'duration(it) startsWith "PT5M"', DURATION],
]);
