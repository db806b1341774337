import { expect, test } from "vitest";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const DISK = 'storage { disk "capos-data" }';
const messagesOf = async (text: string) =>
  (await compilePage(text)).diagnostics
    .filter(({ code }) => code === "image-incomplete" || code === "boot-abstract")
    .map(({ message, help, span }) => [message, help, text.slice(span.start, span.end)]);

test.each([
  ["which session boots", "image { target linux  machine vm }", "boot SESSION"],
  ["what the image is for", "image { machine vm  boot operator }", "target linux"],
  ["what machine the image is for", "image { target linux  boot operator }", "machine vm"],
])("image-incomplete: %s is not said, at the image", async (what, image, instead) => {
  const [found, ...others] = await messagesOf(renderFactsPage({ rest: `${DISK} ${image}` }));
  expect(others).toEqual([]);
  expect(found?.[0]).toContain(what);
  expect(found?.[1]).toContain(instead);
  expect(found?.[2]).toBe(image);
});

test("image-incomplete: without any, at the system's name", async () => {
  const [found, ...others] = await messagesOf(renderFactsPage({ rest: DISK }));
  expect(others).toEqual([]);
  expect(found?.[0]).toContain("what image to make");
  expect(found?.[1]).toContain("image { target linux  machine vm  boot SESSION }");
  expect(found?.[2]).toBe("sample");
});

test("image-incomplete: an empty image lacks all three", async () => {
  expect(await messagesOf(renderFactsPage({ rest: `${DISK} image {}` }))).toHaveLength(3);
});

expectRefused("sealed-by-bios", {
  "beside UEFI too": renderFactsPage({
    rest: `${DISK} image { target linux  machine pc  trust sealed  firmware uefi, «bios»  boot operator }`,
  }),
  "as a text": renderFactsPage({
    rest: `${DISK} image { target linux  machine pc  trust sealed  firmware «"bios"»  boot operator }`,
  }),
});

expectRefused("wrong-word", {
  "a number of firmwares, which image-complete takes for none": renderFactsPage({
    rest: `${DISK} image { target linux  machine pc  trust sealed  firmware «3 bios»  boot operator }`,
  }),
});

expectAccepted("image-complete, sealed", {
  "words as texts": renderFactsPage({ rest: `${DISK} image { target "linux"  machine "vm"  boot "operator" }` }),
  "by UEFI": renderFactsPage({
    rest: `${DISK} image { target linux  machine pc  trust sealed  firmware uefi  boot operator }`,
  }),
  "without a word of firmware": renderFactsPage({
    rest: `${DISK} image { target linux  machine vm  trust sealed  boot operator }`,
  }),
  "by BIOS where nothing is sealed": renderFactsPage({
    rest: `${DISK} image { target linux  machine vm  trust media  firmware bios  boot operator }`,
  }),
});

test("boot-abstract: at the session that is named, and nothing is missing then", async () => {
  const base = "abstract session base { kind operator  models { auto canned }  permit { auto readOnly } }";
  const text = renderFactsPage({ sessions: `${base} session operator extends base {}` }).replace(
    "boot operator",
    "boot base",
  );
  expect((await messagesOf(text)).map(([, , at]) => at)).toEqual(["base"]);
});

test.each([
  ["an image that was lost to a syntax error", renderFactsPage({ rest: `${DISK} imag { target linux }` })],
  ["part of an image", renderFactsPage({ rest: `${DISK} image { target linux, }` })],
  [
    "words that are unknown",
    renderFactsPage({ rest: `${DISK} image { target solaris  machine toaster  boot nobody }` }),
  ],
  ["a page that nobody could be in", renderFactsPage({ sessions: "", rest: DISK })],
])("image-incomplete is not said beside %s", async (_, text) => {
  expect(await messagesOf(text)).toEqual([]);
  expect((await compilePage(text)).diagnostics.length).toBeGreaterThan(0);
});
