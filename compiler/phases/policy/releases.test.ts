import { expect, test } from "vitest";
import { compilePolicy, compilePolicyOnPaper, renderFactsPage } from "../../dev/fixtures/facts.ts";

const SESSIONS = `session operator { kind operator  clearance secret  models { auto canned }  permit { auto * } }
  session night extends operator {}
  session visitor { kind guest  models { auto canned }  permit { auto readOnly } }
  principal alice { ssh "keys/alice.pub" }`;
const RELEASE = 'declassify notes.write from secret:{hr} to internal by consent for operator because "it is published"';
const labelled = (rest: string, services = "service notes : Files { state 1 MiB label internal/reviewed }") =>
  renderFactsPage({
    top: `compartments { hr } ${rest}`,
    services,
    sessions: SESSIONS,
    backends: "backend canned { stub clearance secret:{hr} }",
  });

test("ruling 14: a release applies in its session and in sessions that extend it, and the tables have a rule with the text of the release", async () => {
  const { tables } = await compilePolicy(labelled(RELEASE));
  expect(tables.rows.map(({ session, releases }) => [session, releases])).toEqual([
    ["night", [0]],
    ["operator", [0]],
    ["visitor", []],
  ]);
  const [release] = tables.releases;
  expect(release).toMatchObject({
    act: "declassify",
    from: { confidentiality: 2, integrity: 0, compartments: 1n },
    to: { confidentiality: 1, integrity: 1, compartments: 0n },
    gate: "consent",
  });
  expect(release?.tools.map((tool) => tables.tools[tool]?.name)).toEqual(["notes.write"]);
  expect(tables.rules[release?.rule ?? -1]?.words).toBe(RELEASE);
});

test("a release without a session applies everywhere, and a release for an interface applies to all of its services", async () => {
  const services = `service notes : Files { state 1 MiB label internal/reviewed }
    service drafts : Files { state 1 MiB label internal/reviewed }`;
  const text = labelled(RELEASE.replace(" for operator", "").replace("notes.write", "Files.write"), services);
  const { tables } = await compilePolicy(text);
  expect(tables.rows.map(({ releases }) => releases)).toEqual([[0], [0], [0]]);
  expect(tables.releases[0]?.tools.map((tool) => tables.tools[tool]?.name)).toEqual(["drafts.write", "notes.write"]);
});

test("if a provider has no network grant, the sink of a method is limited by the method's `sends` and by the provider's label", async () => {
  const services = `service board : Board { label internal/reviewed }  service notes : Files { state 1 MiB label internal/reviewed }
    service drafts : Files { state 1 MiB label internal/reviewed }`;
  const sinks = async (sends: string) => {
    const facts = `interface Board { method post : mutatingLocal ${sends}  method wipe : destructive }`;
    const tools = (await compilePolicyOnPaper(labelled(facts, services)))?.tables.tools ?? [];
    return tools.filter(({ provider }) => provider === "board").map(({ name, sink }) => [name, sink.confidentiality]);
  };
  expect(await sinks("")).toEqual([
    ["board.post", 1],
    ["board.wipe", 1],
  ]);
  expect(await sinks("sends public")).toEqual([
    ["board.post", 0],
    ["board.wipe", 1],
  ]);
  expect(await sinks("sends secret")).toEqual([
    ["board.post", 1],
    ["board.wipe", 1],
  ]);
});

test("ruling 11: if a provider has a network grant, the sink of a method is its `sends`, or public if the method has no `sends`", async () => {
  const services = `service board : Board { label public/reviewed  grant HttpEndpoint scope "https://a.example" }
    service notes : Files { state 1 MiB label internal/reviewed  grant board }
    service drafts : Files { state 1 MiB label internal/reviewed }`;
  const facts = "interface Board { method post : outboundNet sends internal  method wipe : destructive }";
  const tables = (await compilePolicyOnPaper(labelled(facts, services)))?.tables;
  const sinks = tables?.tools.map(({ name, networked, sink }) => [
    name,
    networked,
    sink.confidentiality,
    sink.integrity,
  ]);
  expect(sinks).toEqual(
    expect.arrayContaining([
      ["board.post", true, 1, 0],
      ["board.wipe", true, 0, 0],
      ["notes.write", true, 0, 0],
      ["drafts.write", false, 1, 1],
    ]),
  );
});
