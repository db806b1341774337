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
])("image-incomplete points to the image if it lacks %s", async (what, image, instead) => {
  const [found, ...others] = await messagesOf(renderFactsPage({ rest: `${DISK} ${image}` }));
  expect(others).toEqual([]);
  expect(found?.[0]).toContain(what);
  expect(found?.[1]).toContain(instead);
  expect(found?.[2]).toBe(image);
});

test("image-incomplete points to the name of the system if there is no image", async () => {
  const [found, ...others] = await messagesOf(renderFactsPage({ rest: DISK }));
  expect(others).toEqual([]);
  expect(found?.[0]).toContain("what image to make");
  expect(found?.[1]).toContain("image { target linux  machine vm  boot SESSION }");
  expect(found?.[2]).toBe("sample");
});

test("image-incomplete reports three missing settings in an empty image", async () => {
  expect(await messagesOf(renderFactsPage({ rest: `${DISK} image {}` }))).toHaveLength(3);
});

expectRefused("sealed-by-bios", {
  "BIOS beside UEFI": renderFactsPage({
    rest: `${DISK} image { target linux  machine pc  trust sealed  firmware uefi, «bios»  boot operator }`,
  }),
  "BIOS as a text": renderFactsPage({
    rest: `${DISK} image { target linux  machine pc  trust sealed  firmware «"bios"»  boot operator }`,
  }),
});

expectRefused("wrong-word", {
  "a number of firmwares, which is not BIOS": renderFactsPage({
    rest: `${DISK} image { target linux  machine pc  trust sealed  firmware «3 bios»  boot operator }`,
  }),
});

expectAccepted("image-complete, sealed", {
  "names written as texts": renderFactsPage({
    rest: `${DISK} image { target "linux"  machine "vm"  boot "operator" }`,
  }),
  "by UEFI": renderFactsPage({
    rest: `${DISK} image { target linux  machine pc  trust sealed  firmware uefi  boot operator }`,
  }),
  "an image without a firmware setting": renderFactsPage({
    rest: `${DISK} image { target linux  machine vm  trust sealed  boot operator }`,
  }),
  "BIOS for an image that is not sealed": renderFactsPage({
    rest: `${DISK} image { target linux  machine vm  trust media  firmware bios  boot operator }`,
  }),
});

test("boot-abstract points to the named session, and is the only finding", async () => {
  const base = "abstract session base { kind operator  models { auto canned }  permit { auto readOnly } }";
  const text = renderFactsPage({ sessions: `${base} session operator extends base {}` }).replace(
    "boot operator",
    "boot base",
  );
  expect((await messagesOf(text)).map(([, , at]) => at)).toEqual(["base"]);
});

test.each([
  ["an image with a misspelt keyword", renderFactsPage({ rest: `${DISK} imag { target linux }` })],
  ["an image with a syntax error", renderFactsPage({ rest: `${DISK} image { target linux, }` })],
  ["unknown names", renderFactsPage({ rest: `${DISK} image { target solaris  machine toaster  boot nobody }` })],
  ["a page without a session", renderFactsPage({ sessions: "", rest: DISK })],
])("image-incomplete is not reported beside %s", async (_, text) => {
  expect(await messagesOf(text)).toEqual([]);
  expect((await compilePage(text)).diagnostics.length).toBeGreaterThan(0);
});
