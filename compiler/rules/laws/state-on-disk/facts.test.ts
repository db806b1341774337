import { expect, test } from "vitest";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const IMAGE = "image { target linux  machine vm  boot operator }";
const codesOf = async (text: string) => [...new Set((await compilePage(text)).diagnostics.map(({ code }) => code))];

expectRefused("state-without-storage", {
  "each service with state": renderFactsPage({
    services:
      "service notes : Files { «state 1 MiB» }  service scratch : Scratch { «state 1 MiB» }  service machine : Status {}",
    rest: IMAGE,
  }),
});

expectRefused(
  "service-without-state",
  {
    "files and scratch, but not memory, status or a program of the package": renderFactsPage({
      services: `service «notes» : Files {}  service past : Memory {}  service «desk» : Scratch {}  service machine : Status {}
        service mine : Files { exec "services/mine.js" }`,
      permit: "auto readOnly  consent mutatingLocal  forbidden destructive",
    }),
  },
  { "/services/mine.js": "export default {};" },
);

expectRefused(
  "state-without-use",
  {
    "logs, status and services that only answer, but not scratch, memory or a program of the package": renderFactsPage({
      services: `service journal : Logs { «state 1 MiB» }  service machine : Status { «state 1 MiB» }
        service sums : Calculator { «state 1 MiB» }  service watch : Clock { «state 1 MiB» }  service wall : Echo { «state 1 MiB» }
        service past : Memory { state 1 MiB }  service desk : Scratch { state 1 MiB }
        service mine : Status { exec "services/mine.js"  state 1 MiB }`,
    }),
  },
  { "/services/mine.js": "export default {};" },
);

expectRefused("wrong-disk-name", {
  "a name that is one letter too long": renderFactsPage({ rest: `«storage { disk "${"a".repeat(17)}" }» ${IMAGE}` }),
  "an empty name": renderFactsPage({ rest: `«storage { disk "" }» ${IMAGE}` }),
  "a name with a sign that is not portable": renderFactsPage({ rest: `«storage { disk "notes.old" }» ${IMAGE}` }),
});

expectRefused("storage-without-disk", {
  "a storage with only another setting": renderFactsPage({ rest: `«storage { encrypt passphrase }» ${IMAGE}` }),
});

expectAccepted("state-on-disk, kept", {
  "the longest name": renderFactsPage({ rest: `storage { disk "${"a".repeat(16)}" } ${IMAGE}` }),
  "a page without state and without a disk": renderFactsPage({
    services: "service machine : Status {}",
    permit: "auto readOnly",
    rest: IMAGE,
  }),
});

test.each([
  [
    "storage-without-disk beside a disk of the wrong form",
    renderFactsPage({ rest: `storage { disk 3 MiB } ${IMAGE}` }),
  ],
  ["storage-without-disk beside a syntax error in the storage", renderFactsPage({ rest: `storage { dsk } ${IMAGE}` })],
  [
    "state-without-storage beside a syntax error that may hide the storage",
    renderFactsPage({ rest: `storag { } ${IMAGE}` }),
  ],
  [
    "service-without-state beside a syntax error in the service",
    renderFactsPage({
      services: "service notes : Files { stat 1 MiB }",
      rest: `storage { disk "capos-data" } ${IMAGE}`,
    }),
  ],
])("no law reports %s", async (said, text) => {
  const codes = await codesOf(text);
  expect(codes.length).toBeGreaterThan(0);
  expect(codes).not.toContain(said.split(" ")[0]);
});
