import { expect, test } from "vitest";
import { accepts, compilePage, page, refuses } from "../../../dev/fixtures/facts.ts";

const IMAGE = "image { target linux  machine vm  boot operator }";
const codesOf = async (text: string) => [...new Set((await compilePage(text)).diagnostics.map(({ code }) => code))];

refuses("state-without-storage", {
  "each service that keeps state": page({
    services:
      "service notes : Files { «state 1 MiB» }  service scratch : Scratch { «state 1 MiB» }  service machine : Status {}",
    rest: IMAGE,
  }),
});

refuses(
  "service-without-state",
  {
    "files and scratch; not memory, not status, not a program of the package": page({
      services: `service «notes» : Files {}  service past : Memory {}  service «desk» : Scratch {}  service machine : Status {}
        service mine : Files { exec "services/mine.js" }`,
      permit: "auto readOnly  consent mutatingLocal  forbidden destructive",
    }),
  },
  { "/services/mine.js": "export default {};" },
);

refuses(
  "state-without-use",
  {
    "logs, status and what only answers; not scratch, not memory, not a program of the package": page({
      services: `service journal : Logs { «state 1 MiB» }  service machine : Status { «state 1 MiB» }
        service sums : Calculator { «state 1 MiB» }  service watch : Clock { «state 1 MiB» }  service wall : Echo { «state 1 MiB» }
        service past : Memory { state 1 MiB }  service desk : Scratch { state 1 MiB }
        service mine : Status { exec "services/mine.js"  state 1 MiB }`,
    }),
  },
  { "/services/mine.js": "export default {};" },
);

refuses("wrong-disk-name", {
  "a letter too many": page({ rest: `«storage { disk "${"a".repeat(17)}" }» ${IMAGE}` }),
  "none at all": page({ rest: `«storage { disk "" }» ${IMAGE}` }),
  "a sign that is not the same everywhere": page({ rest: `«storage { disk "notes.old" }» ${IMAGE}` }),
});

refuses("storage-without-disk", {
  "another setting alone": page({ rest: `«storage { encrypt passphrase }» ${IMAGE}` }),
});

accepts("state-on-disk, kept", {
  "the longest name": page({ rest: `storage { disk "${"a".repeat(16)}" } ${IMAGE}` }),
  "a page without state and without a disk": page({
    services: "service machine : Status {}",
    permit: "auto readOnly",
    rest: IMAGE,
  }),
});

test.each([
  ["storage-without-disk beside a disk of the wrong form", page({ rest: `storage { disk 3 MiB } ${IMAGE}` })],
  ["storage-without-disk beside a syntax error in it", page({ rest: `storage { dsk } ${IMAGE}` })],
  ["state-without-storage beside a syntax error that it may have been lost to", page({ rest: `storag { } ${IMAGE}` })],
  [
    "service-without-state beside a syntax error in the service",
    page({ services: "service notes : Files { stat 1 MiB }", rest: `storage { disk "capos-data" } ${IMAGE}` }),
  ],
])("%s: nothing more is said", async (said, text) => {
  const codes = await codesOf(text);
  expect(codes.length).toBeGreaterThan(0);
  expect(codes).not.toContain(said.split(" ")[0]);
});
