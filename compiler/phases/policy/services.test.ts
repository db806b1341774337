import { expect, test } from "vitest";
import { bindModel, compilePolicy, compilePolicyWithoutLaws, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { IMAGE_PROVIDERS } from "./implementations.ts";
import { indexPolicyTables } from "./indexed.ts";
import { planService } from "./services.ts";

const PROGRAM = "export default {};\n";

test("a service is provided by the image, by a program of the standard library, or by a program of the package", async () => {
  const { services, tables } = await compilePolicy(
    renderFactsPage({
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
  // Providers in the runtime image are trusted to do what they state.
  const theirs = tables.tools.filter(({ pageProgram }) => pageProgram).map(({ provider }) => provider);
  expect(new Set(theirs)).toEqual(new Set(["mine"]));
  const face = tables.tools.filter(({ provider }) => provider === "mine");
  expect(
    mine?.own?.methods.methods.map(({ name, ordinal, readOnly, params }) => ({ name, ordinal, readOnly, params })),
  ).toEqual(
    face.map(({ methodName, method, readOnly, params }) => ({ name: methodName, ordinal: method, readOnly, params })),
  );
});

test("a service without a provider is reported as a defect of capc", async () => {
  const { services } = await bindModel(
    renderFactsPage({ top: "interface Kiosk { method look : readOnly }", services: "service kiosk : Kiosk {}" }),
  );
  const [kiosk] = services;
  if (kiosk === undefined) throw new Error("the page has a service");
  expect(() => planService(kiosk, IMAGE_PROVIDERS)).toThrow("capc defect: nothing provides Kiosk");
});

const IMAGE = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';

test("the plan of a network service has its scope, the plan of a file store has the folders of each grant, and other plans have neither", async () => {
  const { services } = await compilePolicyWithoutLaws(
    renderFactsPage({
      services: `service notes : Files { state 1 MiB }  service other : Files { state 1 MiB }
        service changes : PatchSets { grant notes scope "/a" }
        service house : HttpEndpoint { label public/untrusted  grant HttpEndpoint scope "https://house.example/api", "GET" }`,
      rest: `network { address dhcp }  ${IMAGE}`,
    }),
  );
  const [changes, house, notes, other] = services;
  expect(house).toMatchObject({
    implementation: "egress",
    scope: { places: [{ host: "house.example", path: "/api" }], methods: ["GET"] },
  });
  expect(notes?.within).toEqual([{ holder: "changes", folders: ["/a"] }]);
  const has = [changes, house, notes, other].map((plan) =>
    ["scope", "within", "holds", "session", "own"].filter((key) => plan !== undefined && key in plan),
  );
  expect(has).toEqual([["holds", "own"], ["scope"], ["within"], []]);
});

test("a plan runner is a program that has a grant of the gate of a session, and no grants of services", async () => {
  const model = await bindModel(renderFactsPage({ services: "service plans : ActionPlans { grant operator }" }));
  const [plans] = model.services;
  if (plans === undefined) throw new Error("the page has a service");
  const plan = planService(plans, IMAGE_PROVIDERS);
  expect(plan).toMatchObject({ session: "operator", own: { methods: { held: [{ name: "operator" }] } } });
  expect("holds" in plan).toBe(false);
});

test("only the plan of an MCP server contains a tool list, and a program that is not JavaScript has the implementation `own-native`", async () => {
  const services = 'service kiosk : Kiosk { exec "kiosk.js" }';
  const model = await bindModel(renderFactsPage({ top: "interface Kiosk { method look : readOnly }", services }), {
    "/kiosk.js": PROGRAM,
  });
  const [kiosk] = model.services;
  if (kiosk?.exec === undefined) throw new Error("the page has a program");
  const { exec, interface: face } = kiosk;
  const toolList = new Uint8Array([7]);
  const listed = { ...face, description: { ...face.description, toolList } };
  const planOf = (value: string) =>
    planService({ ...kiosk, interface: listed, exec: { ...exec, path: { ...exec.path, value } } }, IMAGE_PROVIDERS);
  const shown = ["kiosk.js", "kiosk.mcp.js", "bin/kiosk"].map((path) => {
    const { implementation, own } = planOf(path);
    return [implementation, own?.methods.toolList];
  });
  const none = new Uint8Array();
  expect(shown).toEqual([
    ["own", none],
    ["own", toolList],
    ["own-native", none],
  ]);
});

test("consistent tables of a policy are indexed, and inconsistent ones are reported as a defect of capc", async () => {
  const policy = await compilePolicy(renderFactsPage({}));
  expect(indexPolicyTables(policy).rows.map(({ session }) => session)).toEqual(["operator"]);
  const rows = policy.tables.rows.map((row) => ({ ...row, cells: [] }));
  expect(() => indexPolicyTables({ ...policy, tables: { ...policy.tables, rows } })).toThrow("capc defect");
});

test("a program of the standard library is distinguished from a program of the package", async () => {
  const services = 'service past : Memory { state 1 MiB }  service kiosk : Kiosk { exec "kiosk.js" }';
  const top = "interface Kiosk { method look : readOnly }";
  const model = await bindModel(renderFactsPage({ top, services }), { "/kiosk.js": PROGRAM });
  const plans = model.services.map((service) => planService(service, IMAGE_PROVIDERS));
  const standard = plans.map((plan) => [plan.name, "standard" in plan, plan.standard]);
  expect(standard).toEqual([
    ["past", true, true],
    ["kiosk", false, undefined],
  ]);
});

test("only the plan of a file store has the folders of grants; a law refuses folders of other services", async () => {
  const { services } = await compilePolicyWithoutLaws(
    renderFactsPage({
      top: "interface Board { method post : mutatingLocal }",
      services: `service machine : Status {}  service changes : PatchSets { grant machine scope "/a" }`,
    }),
  );
  expect(services.filter((plan) => "within" in plan)).toEqual([]);
});
