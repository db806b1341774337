import { expect, test } from "vitest";
import { compilePage, renderFactsPage } from "../dev/fixtures/facts.ts";
import { findLoosenings } from "./index.ts";

const LOCKED = 'forbidden Files.write where path under "/locked" else consent';

async function findIn(permit: string) {
  const text = renderFactsPage({
    services: "service notes : Files { state 1 MiB }  service board : Files { state 1 MiB }",
    permit,
  });
  const { understood, diagnostics } = await compilePage(text);
  expect(diagnostics).toEqual([]);
  if (understood === undefined) throw new Error("the page is lawful");
  return findLoosenings(understood.model, understood.package.pages).map(({ place, line, by, tools, because }) => ({
    place,
    line: line.words,
    by: by.map(({ words }) => words),
    tools,
    because,
  }));
}

const LOOSENED = {
  place: "operator",
  line: LOCKED,
  by: ["auto readOnly, notes.write"],
  tools: ["notes.write"],
};

test("a loosened rule is returned with the reason of the comment that allows it, or without a reason", async () => {
  expect(await findIn(`auto readOnly, notes.write  ${LOCKED}`)).toEqual([{ ...LOOSENED, because: undefined }]);
  const allowed = `\n// capc: allow line-loosened because "notes are a draft"\nauto readOnly, notes.write\n${LOCKED}`;
  expect(await findIn(allowed)).toEqual([{ ...LOOSENED, because: "notes are a draft" }]);
});

test("no rule is returned if no rule is loosened, even if a comment allows a loosened rule", async () => {
  expect(await findIn(`auto readOnly\n// capc: allow line-loosened because "notes are a draft"\n${LOCKED}`)).toEqual(
    [],
  );
});
