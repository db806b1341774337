import { beforeAll, expect, test } from "vitest";
import type { Clause, Decision } from "../../../../engine/lib/wire/generated/policy.ts";
import { exampleSubject, subjectAt } from "../../../cli/report/testing/subjects.ts";
import { createMemoryHost } from "../../../phases/source/index.ts";
import type { Subject } from "../subject.ts";
import { describeCell } from "./cells.ts";
import { buildFlowGraph } from "./flow-graph.ts";
import { buildFlowsView } from "./flows.ts";
import { buildLabelsView } from "./labels.ts";
import { buildMachineView } from "./machine.ts";
import { buildMatrixView } from "./matrix.ts";
import { buildOverviewView } from "./overview.ts";
import { placeViews } from "./places.ts";
import { buildProofsView } from "./proofs.ts";
import { buildReachedView } from "./reached.ts";
import { buildReasonsView } from "./reasons.ts";
import { collectSources } from "./sources.ts";

let tour: Subject;
beforeAll(async () => {
  tour = await exampleSubject("tour");
});

const BESIDE = { "/replies.json": "[]" };

const LOWEST = { confidentiality: 0, integrity: 0, compartments: 0n };
const NETWORK = "network { address dhcp }";
const DISK = 'storage { disk "capos-data" }';

/** Returns the subject of a page with one session that has the rules `permit`. */
function subjectOfPage(permit: string, rest = DISK, service = "notes : Files { state 1 MiB }"): Promise<Subject> {
  const text = `system small version "1.0.0" {
  use std.tools
  service ${service}
  backend canned { stub }
  session operator { kind operator  models { auto canned }  permit { ${permit} } }
  ${rest}
  image { target linux  machine vm  boot operator }
}
`;
  return subjectAt(createMemoryHost({ ...BESIDE, "/system.cap": text }, "2026-01-01"), "/system.cap");
}

const notes = (subject: Subject) => buildOverviewView(subject).notes.map(({ tone, words }) => `${tone}: ${words}`);

function list(clauses: readonly Partial<Clause>[], floors: Decision["floors"] = []): Decision {
  const whole = { conditions: [], met: "auto", otherwise: "auto", rule: 0, group: 0 } as const;
  return { clauses: clauses.map((clause) => ({ ...whole, ...clause })), floors };
}

const CONDITION = {
  path: ["path"],
  term: "value",
  operator: "under",
  literals: [{ which: "text", text: "/x" }],
  sources: [],
  each: "single",
  extract: "none",
  absentHolds: false,
} as const;
const FLOOR = {
  conditions: [],
  confidentialityAtLeast: 0,
  integrityAtMost: 0,
  compartments: 0n,
  unattended: false,
  mode: "stepUp",
  rule: 1,
} as const;

test.each([
  ["one line", list([{ met: "consent", otherwise: "forbidden" }]), "consent"],
  ["a condition", list([{ conditions: [CONDITION], met: "forbidden", otherwise: "consent" }]), "consent ▸ forbidden"],
  ["a floor", list([{ met: "auto" }], [FLOOR]), "auto ▸ stepUp"],
  [
    "two floors",
    list([{ met: "auto" }], [FLOOR, { ...FLOOR, confidentialityAtLeast: 1, mode: "consent" }]),
    "auto ▸ consent ▸ stepUp",
  ],
  [
    "a rule below another one",
    list([{ conditions: [CONDITION], otherwise: "stepUp" }, { met: "consent" }]),
    "consent ▸ stepUp",
  ],
  ["a floor that is not stricter", list([{ met: "forbidden" }], [FLOOR]), "forbidden"],
  ["two lines", list([{ met: "auto" }, { met: "stepUp" }]), "stepUp"],
])("a cell of %s shows its gates", (_, decision, words) => {
  expect(describeCell([decision], 2)).toMatchObject({
    words,
    kind: words.split(" ")[0],
    anchor: `${words.split(" ")[0]}-0`,
  });
});

test("an empty cell links to its reason: suppressed or uncovered", () => {
  expect(describeCell([], 0)).toEqual({ kind: "none", words: "–", anchor: "none-suppressed" });
  expect(describeCell([], 1)).toEqual({ kind: "none", words: "–", anchor: "none-uncovered" });
});

test("the matrix has a column for each place, a group for each service, and as many cells as the tables", () => {
  const { columns, groups } = buildMatrixView(tour);
  expect(columns.map(({ path }) => path)).toEqual(["lodger", "resident", "resident.tidy.look", "resident.tidy.mend"]);
  expect(groups.map(({ provider }) => provider)).toEqual([...new Set(tour.tables.tools.map((tool) => tool.provider))]);
  const cells = groups.flatMap(({ tools }) => tools.flatMap((line) => line.cells));
  expect(cells.length).toBe(tour.tables.tools.length * 4);
});

test("a change is marked in its own place, even if a worker has the name of a task", () => {
  const [row] = tour.tables.rows;
  if (row === undefined) throw new Error("the page has no rows");
  const place = { session: row.session, task: "", phase: "", worker: "scout" };
  const rows = [
    { ...row, task: "scout" },
    { ...row, ...place },
  ];
  const cells = [{ place, tool: "docs.read", direction: "widened" }] as const;
  const changes = { before: "old", counts: "", told: [], cells, notCompared: [], unseen: undefined };
  const { groups } = buildMatrixView({ ...tour, tables: { ...tour.tables, rows }, changes });
  const line = groups.flatMap(({ tools }) => tools).find(({ name }) => name === "docs.read");
  expect(line?.cells.map(({ change }) => change?.direction)).toEqual([undefined, "widened"]);
});

test("the machine view shows the memory of all processes of each role, and a limit for each service with state", async () => {
  const subject = await subjectOfPage("auto readOnly");
  const view = buildMachineView(subject);
  expect(view).toMatchObject({ needs: "240 MiB", has: "512 MiB" });
  const mebibytes = (view?.parts ?? []).map(({ memory }) => Number(/^(\d+) MiB$/.exec(memory)?.[1]));
  expect(mebibytes.reduce((sum, part) => sum + part, 0)).toBe(240);
  expect(view?.parts.map(({ part, processes }) => `${processes} ${part}`)).toEqual([
    ...[
      "0 kernel and init",
      "1 gate",
      "1 audit",
      "1 broker",
      "1 conversations",
      "1 files",
      "1 loop",
      "1 model",
      "1 console",
    ],
  ]);
  expect(view?.states).toEqual([{ service: "notes", state: "1 MiB", limit: "3 MiB" }]);
  expect(view?.descriptors.map(({ who, limit }) => [who, limit])).toEqual([
    ["init", 65_536],
    ["gate.operator", 512],
  ]);
  expect(buildMachineView({ ...subject, processes: [] })).toBeNull();
});

test("each cell has a reason, and equal reasons and texts are stored once", () => {
  const { tools, lines, reasons, checks, texts, places } = buildReasonsView(tour);
  expect(tools.length).toBe(tour.tables.tools.length);
  expect(tools.map((line) => lines[line]?.length)).toEqual(tools.map(() => tour.tables.rows.length));
  expect(lines.flat().every((reason) => reasons[reason] !== undefined)).toBe(true);
  expect(reasons.flatMap(([, , , , ...made]) => made).every((at) => checks[at] !== undefined)).toBe(true);
  expect(checks.flat().every((at) => texts[at] !== undefined)).toBe(true);
  for (const once of [lines, reasons, checks, texts]) expect(new Set(once.map(String)).size).toBe(once.length);
  expect(places).toEqual(["lodger", "resident", "resident.tidy.look", "resident.tidy.mend"]);
});

test("flows show their loosest and strictest gates, and external flows come last", () => {
  const { flows, drawing, releases } = buildFlowsView(tour);
  expect(flows).toContainEqual({
    end: "service",
    from: "resident",
    to: "docs",
    what: "arguments",
    gate: "consent ▸ forbidden",
    least: "consent",
    label: "internal/reviewed",
    tools: "delete, write",
  });
  expect(flows.slice(-2).map(({ from, to }) => `${from} → ${to}`)).toEqual([
    "far → the network",
    "trusted → the network",
  ]);
  expect(releases).toEqual([expect.stringMatching(/^declassify post\.send/)]);
  for (const { boxes } of drawing?.sheets ?? [])
    expect(boxes.map(({ texts: [title] }) => title?.text)).toContain("the network");
  expect(drawing?.sheets.length).toBe(2);
});

test("an external flow lists every label that its tools may send", () => {
  const tools = tour.tables.tools.map((tool) => {
    if (tool.provider !== "docs") return tool;
    return tool.methodName === "write" ? { ...tool, networked: true } : { ...tool, networked: true, sink: LOWEST };
  });
  const { flows } = buildFlowsView({ ...tour, tables: { ...tour.tables, tools } });
  const outward = flows.find(({ from, end }) => end === "outside" && from === "docs");
  expect(outward?.label.split(", ").sort()).toEqual(["internal/reviewed", "public/untrusted"]);
});

const WEB = 'notes : Fetch { label public  grant Fetch scope "https://*", "GET" }';

test("a service and a model with the same name are two boxes, and only the networked service is connected to the network", async () => {
  const page = await subjectOfPage("consent Fetch.get", `${DISK} ${NETWORK}`, WEB);
  const backends = page.tables.backends.map((backend) => ({ ...backend, name: "notes" }));
  const tables = { ...page.tables, backends };
  const { nodes, edges } = buildFlowGraph(tables, buildFlowsView({ ...page, tables }).flows);
  expect(nodes.map(({ kind, title }) => `${kind} ${title}`).sort()).toEqual([
    "backend notes",
    "outside the network",
    "service notes",
    "session operator",
  ]);
  const kinds = new Map(nodes.map(({ id, kind }) => [id, kind]));
  const outward = edges.filter(({ to }) => kinds.get(to) === "outside");
  expect(outward.map(({ from }) => kinds.get(from))).toEqual(["service"]);
});

test("networked sinks and other sinks are never in one group", async () => {
  const page = await subjectOfPage(
    "consent *",
    `${DISK} ${NETWORK} service ${WEB.replace("notes", "web")}`,
    "notes : Files { label public  state 1 MiB }",
  );
  expect(buildReachedView(page).sinks.map(({ names, kind }) => `${kind}: ${names}`)).toEqual([
    "model: canned",
    "service: notes",
    "service, outside: web",
  ]);
});

test("the table of labels states why a flow is impossible: too secret, or not trusted enough", () => {
  const { sinks, rows } = buildLabelsView(tour);
  const status = sinks.findIndex(({ names }) => names.startsWith("door, status, web"));
  const words = Object.fromEntries(rows.map(({ label, cells }) => [label, cells[status]?.words]));
  expect(words).toMatchObject({ "public/untrusted": "may", "secret/reviewed": "too secret" });
  const docs = sinks.findIndex(({ names }) => names.startsWith("bench"));
  expect(rows.find(({ label }) => label === "public/untrusted")?.cells[docs]).toEqual({
    may: false,
    words: "not trusted enough",
  });
});

test("every label is in the table or in the list below it", () => {
  const of = (count: number) => {
    const compartments = Array.from({ length: count }, (_, index) => `c${index}`);
    const tools = compartments.map((name, index) => {
      const label = { ...LOWEST, compartments: 1n << BigInt(index) };
      return {
        name: `${name}.send`,
        provider: name,
        readOnly: false,
        sink: label,
        result: { low: label, high: label },
      };
    });
    const [tool] = tour.tables.tools;
    if (tool === undefined) throw new Error("the page has no tools");
    const lattice = { ...tour.tables.lattice, compartments };
    const spread = tools.map((one) => ({ ...tool, ...one }));
    return buildLabelsView({ ...tour, tables: { ...tour.tables, lattice, tools: spread } });
  };
  const few = of(40);
  expect(few.leftOut).toBeNull();
  expect(few.sinks.map(({ names }) => names)).toEqual(expect.arrayContaining(["c0", "c39"]));
  const many = of(100);
  const sinks = [...many.sinks, ...(many.leftOut?.sinks ?? [])].map(({ names }) => names);
  const sources = [...many.rows.map(({ from }) => from), ...(many.leftOut?.sources ?? []).map(({ names }) => names)];
  for (let index = 0; index < 100; index++) {
    expect(sinks).toContain(`c${index}`);
    expect(sources).toContain(`c${index}`);
  }
});

test("sinks that receive secrets are listed with an example conversation, even if a release is needed", () => {
  const { sinks, untold, unseen } = buildReachedView(tour);
  const trusted = sinks.find(({ names }) => names === "trusted");
  expect(trusted).toMatchObject({ kind: "model, outside", secret: "secret", places: "resident" });
  expect(trusted?.story.at(-1)).toMatch(/^\d+\. trusted is asked|trusted is asked/);
  expect(sinks.find(({ names }) => names === "status, door, web")).toMatchObject({ secret: "public", story: [] });
  expect(untold).toContain("sums");
  expect(unseen).toBe("");
});

test("a conversation that an ingress begins has the label of its message", () => {
  const ingresses = [
    { name: "mail", source: "inbox", address: "", row: 0, label: LOWEST, zone: "", missed: "", says: "" },
  ];
  const { rows } = buildLabelsView({ ...tour, tables: { ...tour.tables, ingresses } });
  expect(rows.find(({ from }) => from.includes("ingress mail"))?.label).toBe("public/untrusted");
});

test("prompts are counted for each session and each task, including all phases", () => {
  const sources = collectSources(tour);
  const questions = placeViews(tour, sources).map((place) => place.questions?.worst ?? null);
  expect(questions).toEqual(["never", "without end", "at most 9 a conversation", null]);
});

test("the notes name failed assertions, tools that change something without approval, and a missing data disk", async () => {
  const open = await subjectOfPage("auto readOnly, mutatingLocal", `${DISK} assert always consent mutatingLocal`);
  expect(notes(open)).toEqual([
    "bad: refuted: assert always consent mutatingLocal",
    "mind: notes.write may change something at auto",
    "mind: operator, which boots, is whoever's at the console",
  ]);
  const diskless = await subjectOfPage("auto readOnly", "", "clock : Clock { label public/system }");
  expect(notes(diskless)).toEqual([
    "well: all that is asserted is proved",
    "mind: operator, which boots, is whoever's at the console",
    "mind: there is no data disk: what is on record ends with the run",
  ]);
});

test("for an incomplete comparison, the report does not state that nothing changed", () => {
  const changes = { before: "old", counts: "", told: [], cells: [], notCompared: [], unseen: undefined };
  const words = "nothing means anything else than in old";
  expect(notes({ ...tour, changes })).toContain(`well: ${words}`);
  const seen = notes({ ...tour, changes: { ...changes, unseen: "flows were not compared, for there were too many" } });
  expect(seen).toContain("mind: flows were not compared, for there were too many");
  expect(seen.join()).not.toContain(words);
});

test("a session that is wider than its base is reported with its reason", async () => {
  expect(notes(await exampleSubject("many-sessions"))).toContainEqual(
    expect.stringMatching(/^mind: \w+ is widened until 20\d\d-\d\d-\d\d: “/),
  );
});

test("a rule that another rule loosens is reported with an example, and with the reason of the comment that permits this", async () => {
  const permit = (comment: string) =>
    `auto readOnly  ${comment} auto Files.write where size(content) <= 1 KiB else consent  forbidden mutatingLocal`;
  const subject = await subjectOfPage(permit(""));
  expect(notes(subject)).toContainEqual(
    expect.stringContaining("mind: 1 line that forbids or asks for a signature has"),
  );
  const loosened = {
    place: "operator",
    line: "forbidden mutatingLocal",
    by: "auto Files.write where size(content) <= 1 KiB else consent",
    tools: "`notes.write`",
    shown: 'notes.write {"content":"","path":""}: forbidden → auto',
  };
  const shown = (one: Subject) => buildProofsView(one, collectSources(one)).loosened;
  expect(shown(subject)).toMatchObject([{ ...loosened, because: null }]);
  const allowed = await subjectOfPage(permit('\n// capc: allow line-loosened because "small notes"\n'));
  expect(shown(allowed)).toMatchObject([{ ...loosened, because: "small notes" }]);
});

test("in the shown page, the rules that decide are marked, and positions link to the lines of the page", async () => {
  const subject = await subjectOfPage("auto readOnly  forbidden Files.write");
  const { files, place } = collectSources(subject);
  expect(files.map(({ path }) => path)).toEqual(["system.cap"]);
  const [line] = files[0]?.lines.filter(({ number }) => number === 5) ?? [];
  expect(line?.parts.filter(({ marked }) => marked).map(({ text }) => text)).toEqual([
    "operator",
    "auto readOnly",
    "forbidden Files.write",
  ]);
  expect(place("system.cap:5:3")).toEqual({ text: "system.cap:5:3", href: "#L0-5" });
  expect(place("system.cap:99:1")).toEqual({ text: "system.cap:99:1", href: null });
  expect(place("elsewhere.cap:1:1")).toEqual({ text: "elsewhere.cap:1:1", href: null });
});

test("files of the standard library and long files are shown only near marked lines", async () => {
  const long = await subjectOfPage("auto readOnly", `${"// filler\n".repeat(4000)}storage { disk "capos-data" }`);
  const [file] = collectSources(long).files;
  expect(file?.lines.length).toBeLessThan(20);
  expect(file?.lines.map(({ number }) => number)).toContain(5);
  const library = collectSources(tour).files.find(({ path }) => path === "std/profiles.cap");
  expect(library?.lines[0]?.skipped).toBeGreaterThan(0);
});
