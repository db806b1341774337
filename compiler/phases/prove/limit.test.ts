import { expect, test } from "vitest";
import { foundOn } from "./testing/render-proofs.ts";

const FRAME = `backend b0 { stub clearance secret }  service s : Store { label public/reviewed }`;
const DAY =
  "session day { kind operator  clearance secret  models { auto b0 }  permit { auto readOnly  consent mutatingLocal }";

const LIMITS: Readonly<Record<string, readonly [page: string, ...found: string[]]>> = {
  "a quota that lasts as long and is no larger holds a limit": [
    `${DAY} quota { 3 prompts per login  5 calls per turn } }
     assert limit 3 prompts per login
     assert limit 3 prompts per task
     assert limit 3 prompts per principal
     assert limit 5 calls per turn
     assert limit 4 calls per turn
     assert limit 5 mutatingLocal per call`,
    "proved",
    "proved",
    "day: s.put consent | day: s.put consent | day: s.put consent | day: s.put consent",
    "proved",
    "day: s.look auto ×5 → public/reviewed",
    "proved",
  ],
  "one call more than is allowed shows it": [
    `${DAY} }
     assert limit 2 prompts per conversation
     assert limit 2 mutatingLocal per turn
     assert limit 1000000 calls per day`,
    "day: s.put consent ×3 → public/reviewed",
    "day: s.put consent ×3 → public/reviewed",
    "day: s.look auto ×1000001 → public/reviewed",
  ],
  "nothing can be spent where nothing costs it": [
    `${DAY} }
     assert limit 1 destructive per day
     assert limit 1 outboundNet per turn`,
    "proved",
    "proved",
  ],
  "what ends with each conversation is shown in as many as it takes": [
    `${DAY} quota { 1 prompts per conversation } }
     assert limit 1 prompts per principal`,
    "day: s.put consent | day: s.put consent",
  ],
  "rows that count together need one line that all of them hold": [
    `${DAY} }
     task apart in day { phase first { quota { 2 prompts per task } }  phase later { quota { 2 prompts per task } } }
     task one in day { quota { 2 prompts per task }  phase first { }  phase later after consent { } }
     assert limit 2 prompts per turn for day.apart
     assert limit 2 prompts per task for day.one`,
    "proved",
    "proved",
  ],
  "two calls that assume different heard words stay two steps": [
    `service plain : Store { label public/untrusted }
     ${DAY.replace("consent mutatingLocal", "auto mutatingLocal")} when integrity <= untrusted { atLeast consent plain.put where path from person and path under "/x" } }
     assert limit 1 mutatingLocal per conversation`,
    "day: plain.put auto → public/untrusted, plain.put auto → public/untrusted",
  ],
  "calls hold prompts where no phase asks": [
    `${DAY} }
     task calm in day { quota { 2 calls per task } }
     task asks in day { quota { 2 calls per task }  phase first { }  phase later after consent { } }
     assert limit 2 prompts per task for day.calm`,
    "proved",
  ],
};

test.each(Object.entries(LIMITS))("%s", async (_, [page, ...found]) => {
  expect(await foundOn(`${FRAME}\n${page}`)).toEqual(found);
});
