import { expect, test } from "vitest";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = "image { target linux  machine vm  boot operator }";
const BOARD = "interface Board { method post : mutatingLocal  method wipe : destructive }";
const KIOSK = "interface Kiosk { method look : readOnly }";
const boards = (services: string, top = `${BOARD} ${KIOSK}`) =>
  renderFactsPage({ top, services, permit: "consent mutatingLocal  forbidden destructive", rest: END });
const codesOf = async (text: string) => (await compilePage(text)).diagnostics.map(({ code }) => code);

expectRefused("interface-without-service", {
  "one of two interfaces": boards("service board : Board {}", `${BOARD} ${KIOSK.replace("Kiosk", "«Kiosk»")}`),
});

expectAccepted("interface-without-service, kept", {
  "an interface that a service holds": boards(
    "service board : Board { grant Shop }",
    `${BOARD} interface Shop { method buy : destructive  arg price is money EUR  arg from is url }`,
  ),
});

test("interface-without-service is not reported for an interface without usable methods", async () => {
  const codes = await codesOf(
    boards("service board : Board {}", `${BOARD} interface Kiosk { method stare : readOnly }`),
  );
  expect(codes.length).toBeGreaterThan(0);
  expect(codes).not.toContain("interface-without-service");
});

test("interface-without-service is not reported if a syntax error may hide the service", async () => {
  const codes = await codesOf(boards("service board : Board {}  servic kiosk : Kiosk {}"));
  expect(codes).toContain("syntax");
  expect(codes).not.toContain("interface-without-service");
});
