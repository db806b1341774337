import { expect, test } from "vitest";
import { createMemoryWorld } from "../../cli/memory-world.ts";
import { readSourceDateEpoch } from "./epoch.ts";

function read(environment: Readonly<Record<string, string>>): number | string {
  const epoch = readSourceDateEpoch(createMemoryWorld({ environment }));
  return epoch.ok ? epoch.value : epoch.reason;
}

test.each([
  [{}, 0],
  [{ SOURCE_DATE_EPOCH: "0" }, 0],
  [{ SOURCE_DATE_EPOCH: "1700000000" }, 1_700_000_000],
  [{ SOURCE_DATE_EPOCH: "5869583999" }, 5_869_583_999],
])("%j is a valid time", (environment, seconds) => expect(read(environment)).toBe(seconds));

test.each(["", " 1", "-1", "1.5", "1e9", "0x10", "yesterday", "5869584000", "99999999999999999999", "\u0661"])(
  "SOURCE_DATE_EPOCH='%s' is refused, and the message states the allowed range",
  (SOURCE_DATE_EPOCH) => {
    const sentence = `SOURCE_DATE_EPOCH is a whole number of seconds from 0 to 5869583999 (the year 2155 is the last that an image can say), not '${SOURCE_DATE_EPOCH}'`;
    expect(read({ SOURCE_DATE_EPOCH })).toBe(sentence);
  },
);
