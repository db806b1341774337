import fc from "fast-check";
import { expect, test } from "vitest";
import { isError } from "../../../../lang/diagnostics/index.ts";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { findRandomRuns } from "./randomness.ts";

// The credential is put together here, so that a program that searches this checkout for secrets does not find one.
const RANDOM = ["aB3dE5fG7hJ9kL1m", "N3pQ5rS7tU9vW1xY3zA5"].join("");
const TOKEN = ["ghp_", RANDOM].join("");
const DIGEST = ["0123456789abcdef0123", "456789abcdef01234567"].join("");
const REASON = (reason: string) => renderFactsPage({ permit: `auto readOnly because "${reason}"` });

const DIGITS = [DIGEST, "89abcdef0123456789abcdef"].join("");
const PIN = `pin sha256:${DIGITS}`;
const IMAGE = "image { target linux  machine vm  boot operator }";
const FETCH = { permit: "consent outboundNet", rest: `network { address dhcp }  ${IMAGE}` };
const PINNED = (word: string) =>
  renderFactsPage({
    ...FETCH,
    services: `service web : HttpEndpoint { grant HttpEndpoint scope "https://a.example", "${word}" }`,
  });
const COLLECTING = (word: string) =>
  renderFactsPage({
    services: "service journal : Logs {}",
    permit: "auto readOnly",
    rest: `storage { disk "capos-data" }  network { address dhcp  collector "https://a.example/v1", "${word}" }  ${IMAGE}`,
  });

expectRefused("credential-in-source", {
  "a credential of a known provider, reported once": REASON(`it was «${TOKEN}» before`),
  "a credential of a known provider before random characters": REASON(`«${TOKEN}» and «${RANDOM}»`),
  "random characters before a credential of a known provider": REASON(`«${RANDOM}» and «${TOKEN}»`),
  "a digest at a place that does not take one": renderFactsPage({
    permit: `auto readOnly  consent Files.write where path under "/«${DIGEST}»" else forbidden`,
  }),
});

expectAccepted("credential-in-source, kept", {
  "a digest in a reason": REASON(`as of ${DIGEST}`),
  "a pin of a network service": PINNED(PIN),
  "a pin of the collector": COLLECTING(PIN),
});

expectRefused("credential-in-source", {
  "a pin that is not in a scope": renderFactsPage({
    permit: `auto readOnly  consent Files.write where path under "/pin sha256:«${DIGITS}»" else forbidden`,
  }),
  "a pin that is the name of a passphrase": renderFactsPage({
    top: `principal alice { passphrase "pin sha256:«${DIGITS}»" }`,
  }),
});

expectRefused("scope-unreadable", {
  "a pin in base64, which gets no second message": [
    PINNED(`pin sha256//${Buffer.from(DIGITS, "hex").toString("base64")}`).replace(/"pin.*?"/, "«$&»"),
    `write \`"${PIN}"\``,
  ],
  "a pin in upper case, which gets no second message": PINNED(PIN.toUpperCase().replace("PIN SHA", "pin sha")).replace(
    /"pin.*?"/,
    "«$&»",
  ),
});

test.each([
  ["random text in the place of a pin's digits", PINNED(`pin sha256:${RANDOM}`), "scope-unreadable"],
  [
    "a pin in the scope of a program, which capc does not read",
    renderFactsPage({
      ...FETCH,
      services: `service web : HttpEndpoint { exec "a.js" grant HttpEndpoint scope "${PIN}" }`,
    }),
    "not-enforced-yet",
  ],
])("credential-in-source is reported beside another error: %s", async (_, page, other) => {
  const { diagnostics } = await compilePage(page, { "/a.js": "export default {};" });
  const codes = diagnostics.filter(isError).map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(["credential-in-source", other]));
});

test("property: a digest is accepted only if it is a pin, and is the whole scope of a network service or of the collector", async () => {
  const hex = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 });
  const base64 = fc.string({ unit: fc.constantFrom(..."aB3dE5fG7hJ9kL1mN+/xYzQw"), minLength: 43, maxLength: 43 });
  const digest = fc.oneof(
    hex,
    hex.map((digits) => digits.toUpperCase()),
    base64,
    base64.map((text) => `${text}=`),
  );
  const edit = fc.constantFrom(
    (text: string) => text,
    (text: string) => `${text}0`,
    (text: string) => text.slice(0, -1),
    (text: string) => `${text} ${text}`,
    (text: string) => text.replace(":", ""),
    (text: string) => text.match(/../g)?.join(":") ?? text,
  );
  const begin = fc.constantFrom("pin sha256:", "pin sha256//", "sha256//", "pin-sha256=", "PIN sha256:", "token ", "");
  const places: Readonly<Record<string, (word: string) => string>> = {
    service: PINNED,
    collector: COLLECTING,
    program: (word) =>
      renderFactsPage({ ...FETCH, services: `service web : Fetch { exec "a.js" grant Fetch scope "${word}" }` }),
    folder: (word) =>
      renderFactsPage({
        services: `service notes : Files { state 1 MiB }
  service changes : PatchSets { state 64 KiB  grant notes scope "${word}" }`,
      }),
    principal: (word) => renderFactsPage({ top: `principal alice { passphrase "${word}" }` }),
    condition: (word) =>
      renderFactsPage({ permit: `auto readOnly  consent Files.write where path under "/${word}" else forbidden` }),
  };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(places)),
      begin,
      digest,
      edit,
      async (place, start, text, change) => {
        const word = `${start}${change(text)}`;
        const { diagnostics } = await compilePage(places[place]?.(word) ?? "", { "/a.js": "export default {};" });
        const isPin = (place === "service" || place === "collector") && /^pin sha256:[0-9a-f]{64}$/.test(word);
        const isRandom = findRandomRuns(`"${word}"`, "refused").length > 0;
        // This law ignores words that do not look random; other laws decide whether such a word is valid.
        const isAccepted = isRandom ? !diagnostics.some(isError) : isPin;
        expect([place, word, isAccepted]).toEqual([place, word, isPin]);
      },
    ),
    { numRuns: 150 },
  );
});
