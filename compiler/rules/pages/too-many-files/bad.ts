import { type Files, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const COUNT = 256;
const names = Array.from({ length: COUNT }, (_, index) => `part-${index}.cap`);

/** The root page and one file for each name: one more than the limit. */
export const files: Files = {
  "/system.cap": renderFactsPage({ top: names.map((name) => `use "./${name}"`).join("\n") }),
  ...Object.fromEntries(names.map((name) => [`/${name}`, ""])),
};
