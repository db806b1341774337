import { expect, test } from "vitest";
import { FileEdits, PlanGate } from "../../../engine/lib/wire/generated/service.ts";
import { Files } from "../../../engine/lib/wire/generated/tools.ts";
import { bindModel, compilePolicy, renderFactsPage } from "../../dev/fixtures/facts.ts";
import type { Model } from "../bind/index.ts";
import {
  collectHolderFolders,
  findGrantPaths,
  findReachableServices,
  getSessionOfPlans,
  indexServices,
  isFileStore,
  isPatchStore,
  isPlanRunner,
  listHeldServices,
  mayUse,
} from "./grants-between-services.ts";

const MODULE = { "/board.js": "export default {};" };

const held = (services: string, more = "") =>
  compilePolicy(
    renderFactsPage({
      top: `compartments { hr, pay }  interface Board { method post : mutatingLocal  method wipe : destructive } ${more}`,
      services,
      backends: "backend canned { stub  clearance secret:{hr, pay} }",
    }),
    MODULE,
  );

test("ruling 11: arguments flow to all services that a service may use, and results have the label of the called service", async () => {
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

test("a program gets the tools of the services that it is granted, and a patch store gets only the interface for file edits", async () => {
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

const BOARD = "interface Board { method post : mutatingLocal }";

function named({ services }: Model, name: string) {
  const found = services.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the page has no service ${name}`);
  return found;
}

test("each reachable service is listed with the service that has the grant, and the search ends even if grants form a cycle", async () => {
  const services = `service low : Files { state 1 MiB }
    service mid : Board { exec "board.js"  grant low  grant top }
    service top : Board { exec "board.js"  grant mid }`;
  const model = await bindModel(renderFactsPage({ top: BOARD, services }), MODULE);
  const all = indexServices(model);
  const [low, mid, top] = ["low", "mid", "top"].map((name) => named(model, name));
  if (low === undefined || mid === undefined || top === undefined) throw new Error("the page has all three");
  expect(findReachableServices(top, all).map(({ name }) => name)).toEqual(["mid", "low"]);
  expect(findReachableServices(low, all)).toEqual([]);
  const [grant] = top.grants;
  if (grant === undefined) throw new Error("it is granted one");
  const ways = findGrantPaths(top, grant, all).map(({ held, by, grant: one }) => [held.name, by.name, one.to.name]);
  expect(ways).toEqual([
    ["mid", "top", "mid"],
    ["low", "mid", "low"],
    ["top", "mid", "top"],
    ["mid", "top", "mid"],
  ]);
  // The grants of an invalid page may name a session instead of a service.
  expect(findGrantPaths(top, { ...grant, to: { ...grant.to, kind: "session" } }, all)).toEqual([]);
  expect(findReachableServices({ ...top, grants: [{ ...grant, to: { ...grant.to, kind: "session" } }] }, all)).toEqual(
    [],
  );
});

test("services with a grant of some folders are listed with the folders, and services with a grant of all folders are not listed", async () => {
  const services = `service notes : Files { state 1 MiB }  service other : Files { state 1 MiB }
    service beta : PatchSets { grant notes scope "/b" }
    service alpha : PatchSets { grant notes scope "/a", "/c" }
    service gamma : PatchSets { grant other scope "/g" }
    service board : Board { exec "board.js"  grant notes }`;
  const model = await bindModel(renderFactsPage({ top: BOARD, services }), MODULE);
  const all = indexServices(model);
  const folders = (name: string) => collectHolderFolders(named(model, name), all);
  expect(folders("notes")).toEqual([
    { holder: "alpha", folders: ["/a", "/c"] },
    { holder: "beta", folders: ["/b"] },
  ]);
  expect([folders("other"), folders("board")]).toEqual([[{ holder: "gamma", folders: ["/g"] }], []]);
});

test("a plan runner has a capability for the gate of the session that it is granted, and a program of the page does not", async () => {
  const services = `service plans : ActionPlans { grant operator }  service own : ActionPlans { exec "board.js" }
    service notes : Files { state 1 MiB }  service mine : Files { exec "board.js"  state 1 MiB }`;
  const model = await bindModel(renderFactsPage({ services }), MODULE);
  const all = indexServices(model);
  const plans = named(model, "plans");
  expect(listHeldServices(plans, all)).toEqual([
    {
      name: "operator",
      interfaceId: PlanGate.id,
      methods: ["act", "begin", "look", "refused"].map((name) => ({ name, ordinal: expect.any(Number) })),
    },
  ]);
  const kinds = ["plans", "own", "notes", "mine"].map((name) => named(model, name));
  expect(kinds.map(isPlanRunner)).toEqual([true, false, false, false]);
  expect(kinds.map(getSessionOfPlans)).toEqual(["operator", undefined, undefined, undefined]);
  expect(getSessionOfPlans({ ...plans, grants: [] })).toBeUndefined();
  expect(kinds.map(isFileStore)).toEqual([false, false, true, false]);
});

test("a program of the page is not a patch store, even if it has the interface of a patch store", async () => {
  const services = `service notes : Files { state 1 MiB }  service changes : PatchSets { grant notes scope "/a" }
    service own : PatchSets { exec "board.js"  grant notes }`;
  const model = await bindModel(renderFactsPage({ services }), MODULE);
  const [own, changes] = ["own", "changes"].map((name) => named(model, name));
  if (own === undefined || changes === undefined) throw new Error("the page has both");
  expect([isPatchStore(own), isPatchStore(changes)]).toEqual([false, true]);
  expect(listHeldServices(own, indexServices(model)).map(({ interfaceId }) => interfaceId)).toEqual([Files.id]);
});

test("a grant path ends at a session, because a session is not a service", async () => {
  const services = `service plans : ActionPlans { grant operator }  service board : Board { exec "board.js"  grant plans }`;
  const model = await bindModel(renderFactsPage({ top: BOARD, services }), MODULE);
  const board = named(model, "board");
  const [grant] = board.grants;
  if (grant === undefined) throw new Error("it is granted one");
  const ways = findGrantPaths(board, grant, indexServices(model)).map(({ held, by }) => [by.name, held.name]);
  expect(ways).toEqual([["board", "plans"]]);
});

test("the folders of a grant are collected for the granted service, not for another service or a session of the same name", async () => {
  const services = `service notes : Files { state 1 MiB }  service other : Files { state 1 MiB }
    service board : Board { exec "board.js"  grant notes scope "/a"  grant other }`;
  const model = await bindModel(renderFactsPage({ top: BOARD, services }), MODULE);
  const all = indexServices(model);
  const folders = ["notes", "other"].map((name) => collectHolderFolders(named(model, name), all));
  expect(folders).toEqual([[{ holder: "board", folders: ["/a"] }], []]);
  const board = named(model, "board");
  const grants = board.grants.map((grant) => ({ ...grant, to: { ...grant.to, kind: "session" as const } }));
  expect(collectHolderFolders(named(model, "notes"), new Map([["board", { ...board, grants }]]))).toEqual([]);
});

/**
 * Returns the tools of `notes` that calls of `board.*` or `changes.*` may use, each as `by: called -> used`. `by` is
 * the service whose grant allows the use.
 */
async function usesOf(called: readonly string[], used: readonly string[]): Promise<readonly string[]> {
  const services = `service notes : Files { state 1 MiB }  service changes : PatchSets { grant notes scope "/a" }
    service board : Board { exec "board.js"  grant notes  grant changes }`;
  const top = "interface Board { method post : readOnly  method wipe : mutatingLocal }";
  const model = await bindModel(renderFactsPage({ top, services }), MODULE);
  const tool = (name: string) => {
    const found = model.tools.find((one) => one.name === name);
    if (found === undefined) throw new Error(`the page has no tool ${name}`);
    return found;
  };
  return called.flatMap((name) => {
    const holder = tool(name).service;
    const ways = holder.grants.flatMap((grant) => findGrantPaths(holder, grant, indexServices(model)));
    return ways
      .filter(({ held }) => held.name === "notes")
      .flatMap((way) =>
        used.filter((use) => mayUse(tool(name), tool(use), way)).map((use) => `${way.by.name}: ${name} -> ${use}`),
      );
  });
}

const NOTES = ["notes.read", "notes.write", "notes.delete"];

test("a read-only tool uses only read-only tools, and any other tool uses all tools of the granted services", async () => {
  expect(await usesOf(["board.post"], NOTES)).toEqual(["board: board.post -> notes.read"]);
  expect((await usesOf(["board.wipe"], NOTES)).filter((use) => use.startsWith("board"))).toEqual([
    "board: board.wipe -> notes.read",
    "board: board.wipe -> notes.write",
    "board: board.wipe -> notes.delete",
  ]);
});

test("a patch store uses only the tool that writes files, and only for calls that apply a patch set", async () => {
  expect(await usesOf(["changes.show", "changes.propose", "changes.discard"], NOTES)).toEqual([]);
  expect(await usesOf(["changes.apply"], NOTES)).toEqual(["changes: changes.apply -> notes.write"]);
  expect((await usesOf(["board.wipe"], NOTES)).filter((use) => use.startsWith("changes"))).toEqual([
    "changes: board.wipe -> notes.write",
  ]);
});
