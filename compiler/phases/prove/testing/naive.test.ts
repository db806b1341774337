// Tests the naive evaluator with cases that a person can check on paper. Each case tests one rule about the meaning of proofs.
import { expect, test } from "vitest";
import { type Asked, answer, reachedFor } from "./claims.ts";
import { meaningOf } from "./compiled.ts";
import { framed } from "./frame.ts";
import { systemOf } from "./system.ts";

/** Two backends: one on the machine of the image, and a remote one. */
const BACKENDS = `
  backend b0 { stub clearance secret }
  backend far { remote openai "https://llm.example" clearance internal }`;
const DAY = "session day { kind operator  clearance secret  models { auto b0 }";

async function found(page: string, more: Partial<Asked> = {}): Promise<readonly string[]> {
  const { policy, model } = await meaningOf(framed(`${BACKENDS}\n${page}`));
  const system = systemOf(policy, model);
  return model.assertions.map((assertion) => {
    const asked = { ...assertion, waived: [], ...more };
    return answer(system, asked, reachedFor(system, asked));
  });
}

/** Pages with the expected results of their assertions, in order. */
const CASES: Readonly<Record<string, readonly [page: string, ...answers: string[]]>> = {
  "what was read is told to the backend": [
    `service s : Store { label secret/reviewed }  ${DAY} permit { auto readOnly } }
     assert never flow secret to b0
     assert never flow secret/untrusted to b0`,
    "violated",
    "holds",
  ],
  "what may not be read is not told": [
    `service s : Store { label secret/reviewed }  ${DAY} permit { forbidden readOnly } }
     assert never flow secret to b0
     assert never call readOnly`,
    "holds",
    "holds",
  ],
  "a backend below the label is not used, nor one behind a backend that always answers": [
    `service s : Store { label secret/reviewed }
     session day { kind operator  clearance secret  models { auto far  consent b0 } permit { auto readOnly } }
     session night { kind operator  clearance secret  models { auto b0  auto far } permit { auto readOnly } }
     assert never flow secret to far
     assert never flow internal to far
     assert never flow public to b0 for day
     assert never flow public to far for night`,
    "holds",
    "holds",
    "violated",
    "holds",
  ],
  "a floor about some arguments raises these, once the conversation meets it": [
    `service s : Store { label public/untrusted }
     ${DAY} starts public/untrusted  permit { auto readOnly  auto s.put where path under "/x" else forbidden }
       when integrity <= untrusted { atLeast forbidden s.put where path under "/x" } }
     session night { kind operator  models { auto b0 }  permit { auto s.put where path under "/x" else forbidden }
       when integrity <= untrusted { atLeast forbidden s.put where path under "/x" } }
     session visitor { kind operator  starts public/untrusted  models { auto b0 }  permit { auto s.put }
       when integrity <= untrusted { atLeast consent s.put where path under "/x"  atLeast forbidden s.put where path == "a" } }
     assert never call s.put for day
     assert never call s.put for night
     assert always consent s.put for visitor`,
    "holds",
    "violated",
    "violated",
  ],
  "a floor about an argument that is left out counts": [
    `service s : Store { label public/untrusted }
     ${DAY} starts public/untrusted  permit { auto readOnly  auto s.put where not has(count) else forbidden }
       when integrity <= untrusted { atLeast stepUp s.put where count > 15 } }
     assert always stepUp s.put for day`,
    "holds",
  ],
  "what one session writes another reads, by the label of the store": [
    `service s : Store { label internal/reviewed }
     ${DAY} starts internal  permit { auto mutatingLocal } }
     session night { kind operator  clearance secret  models { auto far }  permit { auto readOnly } }
     assert never flow internal to far for night
     assert never flow secret to far`,
    "violated",
    "holds",
  ],
  "a store with a range gives back what came in": [
    `service s : Store { label public/reviewed .. secret/reviewed }
     ${DAY} starts internal/reviewed  permit { auto mutatingLocal } }
     session night { kind operator  clearance internal  models { auto b0 }  permit { auto readOnly } }
     assert never flow secret to b0 for night
     assert never flow internal to b0 for night`,
    "violated",
    "violated",
  ],
  "a release carries what was asked for, unless the assertion says otherwise": [
    `service s : Store { label public/reviewed }  service v : Vault { label secret/reviewed }
     declassify s.put from secret to public by consent because "CHG-1"
     ${DAY} permit { auto readOnly, mutatingLocal } }
     session night { kind operator  clearance public  models { auto far }  permit { auto readOnly } }
     assert never flow secret to far for night
     assert never flow secret to far for night without releases
     assert never flow secret to s
     assert never flow secret to Store without releases
     assert never call s.put ungated for day`,
    "violated",
    "holds",
    "violated",
    "holds",
    "violated",
  ],
  "reading on this machine sends nothing, reading over a network does": [
    `service s : Store { label secret/reviewed }  service w : Desk { grant Fetch }
     ${DAY} starts secret  permit { auto readOnly, Desk.ask } }
     session night { kind operator  clearance secret  models { auto b0 }  permit { auto readOnly, Desk.ask } }
     assert never flow public to s
     assert never flow public to w for day
     assert never flow public to Desk for night`,
    "holds",
    "holds",
    "violated",
  ],
  "private, untrusted and a way out, together and asking nobody": [
    `service s : Store { label internal }  service w : Desk { grant Fetch }
     ${DAY} permit { auto readOnly, Desk.post } }
     session asks { kind operator  clearance secret  models { auto b0 } permit { auto readOnly  consent Desk.post } }
     assert never trifecta for day
     assert never trifecta for asks`,
    "violated",
    "holds",
  ],
  "a way out that takes only what is public is none for what is private, unless somebody else put that there": [
    `service s : Store { label internal }  service w : Desk { grant Fetch }
     ${DAY} permit { auto readOnly, Desk.ask } }
     assert never trifecta`,
    "holds",
  ],
  "what was sent where it may not be kept comes back under a lower label, and is known for what it is": [
    `service s : Store { label internal }  service w : Desk { grant Fetch }
     ${DAY} permit { auto readOnly  consent Desk.post } }
     session night { kind operator  models { auto b0 } permit { auto Desk.ask } }
     assert never flow internal to b0 for night
     assert never trifecta for night`,
    "violated",
    "violated",
  ],
  "the way out of a trifecta may be a backend": [
    `service s : Store { label internal }
     session day { kind operator  clearance secret  models { auto far } permit { auto readOnly } }
     session night { kind operator  clearance secret  models { consent far  auto b0 } permit { auto readOnly } }
     assert never trifecta for day
     assert never trifecta for night`,
    "violated",
    "holds",
  ],
  "a mode is at least that strict, floors met by what can be reached": [
    `service s : Store { label internal/untrusted }  service t : Store { label public/reviewed }
     ${DAY} permit { auto s.look  consent s.put  auto t.put } when confidentiality >= internal { atLeast stepUp s.put } }
     assert always consent s.put
     assert always stepUp s.put
     assert always auto t.put
     assert always consent t.put`,
    "holds",
    "violated",
    "holds",
    "violated",
  ],
  "a condition that some arguments meet": [
    `service s : Store { label public/reviewed }
     ${DAY} permit { auto Store.put where path under "/x" and count <= 10 else stepUp } }
     session night { kind operator  models { auto b0 } permit { forbidden Store.put where count > 200 else consent } }
     assert always consent s.put for day
     assert never call s.put ungated for night
     assert always stepUp s.put for night`,
    "violated",
    "holds",
    "violated",
  ],
  "a task goes forward only, and keeps what it has seen": [
    `service s : Store { label secret/reviewed }
     ${DAY} permit { auto readOnly } }
     task triage in day { phase first { only s.look }  phase later { only s.put } }
     task reverse in day { phase first { only s.put }  phase later { only s.look } }
     session night extends day { models { auto b0 } }
     assert never flow secret to b0 for day.triage
     assert never call s.look for day.triage
     assert never call s.put for day`,
    "violated",
    "violated",
    "holds",
  ],
  "words from outside are in the conversations that they come to": [
    `service s : Store { label public/reviewed }
     ${DAY} permit { auto readOnly } }  session night { kind operator  models { auto b0 } permit { auto readOnly } }
     ingress desk : mail into day label secret/untrusted
     assert never flow secret to b0 for night
     assert never flow secret to b0 for day`,
    "holds",
    "violated",
  ],
  "what a worker saw its parent knows": [
    `service s : Store { label public/reviewed }
     ${DAY} permit { auto readOnly } }  worker digest in day { only s.look }
     ingress desk : mail into day label internal/reviewed
     assert never flow internal to b0
     assert never flow secret to b0`,
    "violated",
    "holds",
  ],
  "services that use each other share what they hold": [
    `service a : Store { label public/reviewed .. secret/reviewed }  service b : Store { label public/reviewed .. secret/reviewed  grant a }
     ${DAY} starts internal  permit { auto b.put } }
     session night { kind operator  clearance secret  models { auto b0 } permit { auto readOnly } }
     assert never flow internal to b0 for night`,
    "violated",
  ],
  "a result above the clearance raises the label and is withheld": [
    `service s : Store { label secret/reviewed }
     session day { kind operator  clearance internal  models { auto b0 } permit { auto readOnly, mutatingLocal } }
     assert never flow secret to b0
     assert never call mutatingLocal`,
    "violated",
    "holds",
  ],
};

test.each(Object.entries(CASES))("%s", async (_, [page, ...answers]) => {
  expect(await found(page)).toEqual(answers);
});

const LIMITS: Readonly<Record<string, readonly [page: string, ...answers: string[]]>> = {
  "a quota that lasts as long and is no larger": [
    `${DAY} permit { consent mutatingLocal } quota { 3 prompts per login  5 calls per turn } }
     assert limit 3 prompts per task
     assert limit 2 prompts per login
     assert limit 3 prompts per principal
     assert limit 5 calls per turn
     assert limit 5 calls per conversation
     assert limit 5 mutatingLocal calls per turn`,
    "holds",
    "violated",
    "violated",
    "holds",
    "violated",
    "holds",
  ],
  "nothing can be spent of what no call costs": [
    `${DAY} permit { auto mutatingLocal } }
     assert limit 1 prompts per login
     assert limit 1 destructive calls per day
     assert limit 1 calls per day`,
    "holds",
    "holds",
    "violated",
  ],
  "two lines in two phases are two counters": [
    `${DAY} permit { consent mutatingLocal } }
     task apart in day { phase first { quota { 2 prompts per task } }  phase later { quota { 2 prompts per task } } }
     task one in day { quota { 2 prompts per task } phase first { }  phase later after consent { } }
     assert limit 2 prompts per task for day.apart
     assert limit 2 prompts per task for day.one
     assert limit 2 prompts per turn for day.apart`,
    "violated",
    "holds",
    "holds",
  ],
};

test.each(Object.entries(LIMITS))("limit: %s", async (_, [page, ...answers]) => {
  expect(await found(`service s : Store { label public/reviewed }\n${page}`)).toEqual(answers);
});

test("a waiver for a session also covers the sessions that extend it", async () => {
  const page = `service s : Store { label internal }
    session day { kind operator  clearance secret  models { auto far } permit { auto readOnly } }
    session night extends day { models { auto far } }
    assert never trifecta`;
  expect(await found(page)).toEqual(["violated"]);
  expect(await found(page, { waived: ["night"] })).toEqual(["violated"]);
  expect(await found(page, { waived: ["day"] })).toEqual(["holds"]);
});
