import { expect, test } from "vitest";
import { compilePage, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const TOP = "interface Shop { method buy : destructive  arg price is money EUR  arg from is url }";
const services = (permit: string) =>
  renderFactsPage({
    top: TOP,
    services: "service shop : Shop {}  service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }",
    permit,
  });

expectRefused("where-unknown-argument", {
  "once for a line, however many tools lack it": services(
    "auto readOnly  consent Files.* where «pth» == 3 else forbidden",
  ),
  "what a tool further on lacks": services(
    "auto readOnly  consent Files.write, Files.delete where size(«content») < 3 B else forbidden",
  ),
});

expectRefused("where-wrong-type", {
  "once for a line, however many tools it does not fit": services(
    'auto readOnly  consent Files.write where «path == "/a"» else forbidden',
  ),
  "each check of a line": services(
    "consent shop.buy where «count == true» and count < 3 and «gift == 3» else forbidden  auto readOnly",
  ),
});

test("where-unknown-argument puts the nearest argument in its place, where there is one", async () => {
  const { diagnostics } = await compilePage(
    services("auto readOnly  consent shop.buy where size.widht < 3 and nothing_like_it < 3 else forbidden"),
  );
  const found = diagnostics.filter(({ code }) => code === "where-unknown-argument");
  expect(found.map(({ message, help, fix }) => [message, help, fix?.replacement])).toEqual([
    ["`shop.buy` has no argument `size.widht`", "did you mean `size.width`?", "size.width"],
    ["`shop.buy` has no argument `nothing_like_it`", undefined, undefined],
  ]);
  expect(found[0]?.fix?.span).toEqual(found[0]?.span);
});
