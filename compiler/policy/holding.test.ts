import { expect, test } from "vitest";
import { FileEdits } from "../../engine/wire/generated/service.ts";
import { Files } from "../../engine/wire/generated/tools.ts";
import { page, policyOf } from "../testing/facts.ts";

const MODULE = { "/board.js": "export default {};" };

const held = (services: string, more = "") =>
  policyOf(
    page({
      top: `compartments { hr, pay }  interface Board { method post : mutatingLocal  method wipe : destructive } ${more}`,
      services,
      backends: "backend canned { stub  clearance secret:{hr, pay} }",
    }),
    MODULE,
  );

test("ruling 11: arguments flow to all that a service may use, directly or through another, and its results keep its own label", async () => {
  const { tables } = await held(`service low : Files { state 1 MiB  label internal:{hr}/reviewed }
    service mid : Board { exec "board.js"  label secret:{hr, pay}/reviewed  grant low }
    service top : Board { exec "board.js"  label secret:{hr, pay}/untrusted  grant mid }
    service alone : Board { exec "board.js"  label secret:{hr, pay}/untrusted }`);
  const sinks = tables.tools.filter(({ methodName }) => methodName === "post");
  expect(sinks.map(({ name, sink, result }) => [name, sink, result.high])).toEqual([
    [
      "alone.post",
      { confidentiality: 2, integrity: 0, compartments: 3n },
      { confidentiality: 2, integrity: 0, compartments: 3n },
    ],
    [
      "mid.post",
      { confidentiality: 1, integrity: 1, compartments: 1n },
      { confidentiality: 2, integrity: 1, compartments: 3n },
    ],
    [
      "top.post",
      { confidentiality: 1, integrity: 1, compartments: 1n },
      { confidentiality: 2, integrity: 0, compartments: 3n },
    ],
  ]);
});

test("a module holds the tools of what it is granted, and who keeps patch sets holds edits alone", async () => {
  const { services } = await held(`service notes : Files { state 1 MiB }
    service board : Board { exec "board.js"  grant notes }
    service changes : PatchSets { grant notes scope "/a" }`);
  const holds = services.map(({ name, holds: found }) => [name, found?.map(({ interfaceId }) => interfaceId)]);
  expect(holds).toEqual([
    ["board", [Files.id]],
    ["changes", [FileEdits.id]],
    ["notes", undefined],
  ]);
  const methods = services.map(({ own }) => own?.methods.held.flatMap((one) => one.methods.map(({ name }) => name)));
  expect(methods).toEqual([["delete", "list", "read", "write"], ["apply", "check"], undefined]);
  expect(services[2]?.within).toEqual([{ holder: "changes", folders: ["/a"] }]);
});
