import { expect, test } from "vitest";
import { modelOf, page, policyOf } from "../testing/facts.ts";
import { IMAGE_PROVIDERS } from "./implementations.ts";
import { indexedTables } from "./indexed.ts";
import { servicePlan } from "./services.ts";

const PROGRAM = "export default {};\n";

test("a service is answered by the image, by a program of the standard library, or by one of the package", async () => {
  const { services, tables } = await policyOf(
    page({
      services: `service notes : Files { state 1 MiB }  service machine : Status {}
        service mine : Files { exec "services/mine.js"  state 2 MiB  label internal/reviewed }
        service past : Memory { state 1 MiB }`,
      permit: "auto readOnly  consent mutatingLocal  forbidden destructive",
      backends: "backend canned { stub clearance internal }",
    }),
    { "/services/mine.js": PROGRAM },
  );
  const shown = services.map(({ name, implementation, own }) => [name, implementation, own?.path]);
  expect(shown).toEqual([
    ["machine", "status", undefined],
    ["mine", "own", "services/mine.js"],
    ["notes", "files", undefined],
    ["past", "own", expect.stringMatching(/\S/)],
  ]);
  const mine = services[1];
  expect(mine).toMatchObject({
    interfaceName: "Files",
    stateBytes: 2_097_152,
    label: { confidentiality: 1, integrity: 1 },
  });
  expect(new TextDecoder().decode(mine?.own?.bytes)).toBe(PROGRAM);
  expect(mine?.own?.methods).toMatchObject({
    schemaVersion: 1,
    interfaceId: mine?.interfaceId,
    interfaceName: "Files",
  });
  // What the runtime brings is known to do what it says.
  const theirs = tables.tools.filter(({ pageProgram }) => pageProgram).map(({ provider }) => provider);
  expect(new Set(theirs)).toEqual(new Set(["mine"]));
  const face = tables.tools.filter(({ provider }) => provider === "mine");
  expect(
    mine?.own?.methods.methods.map(({ name, ordinal, readOnly, params }) => ({ name, ordinal, readOnly, params })),
  ).toEqual(
    face.map(({ methodName, method, readOnly, params }) => ({ name: methodName, ordinal: method, readOnly, params })),
  );
});

test("what nothing answers for comes this far by a defect of ours alone", async () => {
  const { services } = await modelOf(
    page({ top: "interface Kiosk { method look : readOnly }", services: "service kiosk : Kiosk {}" }),
  );
  const [kiosk] = services;
  if (kiosk === undefined) throw new Error("the page has a service");
  expect(() => servicePlan(kiosk, IMAGE_PROVIDERS)).toThrow("capc defect: nothing provides Kiosk");
});

test("tables of a policy hang together, and those that do not are a defect of ours", async () => {
  const policy = await policyOf(page({}));
  expect(indexedTables(policy).rows.map(({ session }) => session)).toEqual(["operator"]);
  const rows = policy.tables.rows.map((row) => ({ ...row, cells: [] }));
  expect(() => indexedTables({ ...policy, tables: { ...policy.tables, rows } })).toThrow("capc defect");
});
