import { expect, test } from "vitest";
import { formatRowPath } from "../../../engine/lib/policy/index.ts";
import { PLAIN } from "../../../engine/lib/policy/testing/sample.ts";
import {
  bindModel,
  compilePage,
  compilePolicy,
  compilePolicyOnPaper,
  compilePolicyWithoutLaws,
  renderFactsPage,
} from "../../dev/fixtures/facts.ts";
import { createUnwidenedReader, groupLinesByKey } from "./index.ts";
import { resolveSessions } from "./resolve.ts";

// Tests which values the tables contain, at which positions, and which values they omit.

const operator = (permit: string, rest = "") =>
  `session operator { kind operator  models { auto canned }  permit { ${permit} } ${rest} }`;

async function onPaper(text: string) {
  const policy = await compilePolicyOnPaper(text);
  if (policy === undefined) throw new Error("the page breaks a law");
  return policy;
}

test("the tables state whether each backend runs on the machine, and which rule states each of its quotas", async () => {
  const { tables, backends } = await compilePolicyWithoutLaws(
    renderFactsPage({
      backends: `backend canned { stub }  backend near { cpu }
        backend far { remote openai "https://llm.example.net"  token vault.far  log required
          quota { 5.25 USD per day  200k tokens per hour } }
        backend lent { browser webllm "https://lent.example.net" }`,
      sessions: operator("auto readOnly").replace("auto canned", "auto canned  auto near  auto lent  stepUp far"),
    }),
  );
  expect(tables.backends.map(({ name, kind, local, logRequired }) => [name, kind, local, logRequired])).toEqual([
    ["canned", "stub", true, false],
    ["far", "remote", false, true],
    ["lent", "browser", false, false],
    ["near", "cpu", true, false],
  ]);
  const quotas = tables.backends[1]?.quotas.map(({ amount, rule }) => [amount, tables.rules[rule]?.id]);
  expect(quotas).toEqual([
    [5_250_000n, "backend far/quota 5.25 USD per day"],
    [200_000n, "backend far/quota 200000 tokens per hour"],
  ]);
  expect(backends).toEqual([{ name: "canned", kind: "stub" }]);
});

test("the tokens of an answer are bounded only for local weights, because a provider counts tokens with its own tokenizer", async () => {
  const { tables } = await compilePolicyWithoutLaws(
    renderFactsPage({
      backends: `backend canned { stub }  backend far { remote ollama "http://10.0.2.80"  model served }
        backend near { cpu  model weighed }  backend plain { cpu  model unsaid }`,
      sessions: operator("auto readOnly").replace("auto canned", "auto canned  auto near  auto plain  stepUp far"),
      rest: `model served { served "m"  context 16k tokens }  model weighed { weights "a.gguf"  context 2048 tokens }
        model unsaid { weights "b.gguf" }
        storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
    }),
  );
  expect(tables.backends.map(({ name, contextTokens }) => [name, contextTokens])).toEqual([
    ["canned", 0],
    ["far", 0],
    ["near", 2048],
    ["plain", 4096],
  ]);
});

test("an ingress leads to the row of its session or of its task, and never to the row of a worker", async () => {
  const { tables } = await onPaper(
    renderFactsPage({
      sessions: `${operator("auto readOnly")}  task t in operator { only readOnly }  worker a in operator { only readOnly }`,
      rest: `ingress wire : webhook into operator label public  ingress desk : mail "ops@example.net" into t label internal/reviewed
        storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
    }),
  );
  const entered = tables.ingresses.map(({ row, ...ingress }) => {
    const { session, task, phase, worker, phaseIndex } = tables.rows[row] ?? {};
    return { ...ingress, into: [session, task, phase, worker, phaseIndex] };
  });
  expect(entered).toEqual([
    {
      name: "desk",
      source: "mail",
      address: "ops@example.net",
      label: { confidentiality: 1, integrity: 1, compartments: 0n },
      zone: "",
      missed: "",
      says: "",
      into: ["operator", "t", "", "", 0],
    },
    {
      name: "wire",
      source: "webhook",
      address: "",
      label: { confidentiality: 0, integrity: 0, compartments: 0n },
      zone: "",
      missed: "",
      says: "",
      into: ["operator", "", "", "", 0],
    },
  ]);
});

test("phases are numbered from the first phase of their task", async () => {
  const { tables } = await compilePolicy(
    renderFactsPage({
      sessions: `${operator("auto readOnly")}
        task t in operator { phase look { only readOnly } phase mend after consent { only notes.read } }`,
    }),
  );
  expect(tables.rows.map(({ phase, phaseIndex, entry }) => [phase, phaseIndex, entry])).toEqual([
    ["", 0, "auto"],
    ["look", 0, "auto"],
    ["mend", 1, "consent"],
  ]);
});

test("categories are sorted by name and have their parents, and tools have their categories", async () => {
  const { tables } = await compilePolicy(
    renderFactsPage({
      top: `category posting : mutatingLocal
            interface Board { method post : posting  method wipe : destructive }`,
      services: "service board : Board {}  service notes : Files { state 1 MiB }",
    }),
  );
  const { categories, tools } = tables;
  const parents = categories.map(({ name, parent }) => [name, parent === 65_535 ? "-" : categories[parent]?.name]);
  expect(Object.fromEntries(parents)).toMatchObject({ posting: "mutatingLocal", mutatingLocal: "-", admin: "-" });
  expect(categories.map(({ name }) => name)).toEqual(categories.map(({ name }) => name).toSorted());
  expect(tools.map(({ name, category, readOnly }) => [name, categories[category]?.name, readOnly])).toEqual([
    ["board.post", "posting", false],
    ["board.wipe", "destructive", false],
    ["notes.delete", "destructive", false],
    ["notes.list", "readOnly", true],
    ["notes.read", "readOnly", true],
    ["notes.write", "mutatingLocal", false],
  ]);
});

test("facts of methods are copied to their tools", async () => {
  const { tables } = await compilePolicyWithoutLaws(
    renderFactsPage({
      top: `interface Board { method post : mutatingLocal  redact "line"  truncate 2 KiB  returns internal/reviewed
                              method wipe : destructive }`,
      services: "service board : Board { label public/untrusted .. secret/system }",
      permit: "auto mutatingLocal  forbidden destructive",
      backends: "backend canned { stub clearance secret }",
    }),
  );
  expect(tables.tools[0]).toMatchObject({
    redact: ["line"],
    truncateBytes: 2048,
    result: { low: { confidentiality: 1, integrity: 1 }, high: { confidentiality: 1, integrity: 1 } },
  });
  expect(tables.tools[1]).toMatchObject({ redact: [], truncateBytes: 0, result: { high: { confidentiality: 2 } } });
});

test("origins give the position of each part of a policy", async () => {
  const text = renderFactsPage({
    top: 'principal alice { ssh "keys/alice.pub" }',
    sessions: operator("auto readOnly  forbidden destructive"),
  });
  const { origins, policy } = await compilePage(text);
  if (origins === undefined || policy === undefined) throw new Error("the page is lawful");
  const written = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  const named = [origins.sessions, origins.services, origins.backends, origins.principals];
  expect(named.map((places) => [...places].map(([name, span]) => [name, written(span)]))).toEqual([
    [["operator", "operator"]],
    [["notes", "notes"]],
    [["canned", "canned"]],
    [["alice", "alice"]],
  ]);
  expect(origins.rules.map(written)).toEqual(policy.tables.rules.map(({ words }) => words));
});

test("a page that states no version has the version 0.0.0", async () => {
  const { tables } = await compilePolicy(renderFactsPage({}).replace('version "1.0.0"', ""));
  expect([tables.systemId, tables.version]).toEqual(["sample", "0.0.0"]);
});

test("the first of two equal rules gives their position, and the keys of a principal are sorted and unique", async () => {
  const text = renderFactsPage({
    top: 'principal alice { ssh "keys/alice.pub"  ssh "keys/bob.pub"  ssh "keys/alice.pub" }',
    permit: "auto readOnly  forbidden destructive  auto readOnly",
  });
  const { tables } = await compilePolicyWithoutLaws(text);
  const line = text.slice(0, text.indexOf("auto readOnly")).split("\n").length;
  const column = text.split("\n")[line - 1]?.indexOf("auto readOnly") ?? 0;
  expect(tables.rules.find(({ words }) => words === "auto readOnly")?.place).toBe(`system.cap:${line}:${column + 1}`);
  expect(tables.decisions.map(({ clauses }) => clauses.length)).toEqual([1, 1]);
  const keys = tables.principals[0]?.keys ?? [];
  expect(keys).toHaveLength(2);
  expect(keys).toEqual(keys.toSorted());
});

test("rules and floors of suppressed or uncovered tools are left out", async () => {
  const { tables } = await compilePolicyWithoutLaws(
    renderFactsPage({
      sessions: operator(
        "auto readOnly  consent notes.read",
        `suppress notes.read  when integrity <= untrusted { atLeast consent destructive  atLeast consent notes.list }`,
      ),
    }),
  );
  expect(tables.rules.map(({ id }) => id)).toEqual([
    "operator/auto readOnly",
    "operator/when integrity <= untrusted: atLeast consent notes.list",
  ]);
});

test("a decision list has its rules in the order of the tables, whatever their order on the page", async () => {
  const lines = [
    'auto Files.write where path under "/a" else consent',
    'auto Files.write where path under "/b" and size(content) <= 4 B else consent',
    "consent Files.write",
  ];
  const decided = async (permit: readonly string[]) => {
    const { tables } = await compilePolicy(renderFactsPage({ permit: permit.join("\n") }));
    return { decisions: tables.decisions, rules: tables.rules.map(({ id }) => id) };
  };
  const forwards = await decided(lines);
  expect(forwards.decisions[0]?.clauses.map(({ rule }) => rule)).toEqual([0, 1, 2]);
  expect(await decided(lines.toReversed())).toEqual(forwards);
});

test("conditions in the tables have the order of the page", async () => {
  const shop = renderFactsPage({
    top: "interface Shop { method buy : destructive  arg price is money EUR  arg from is url }",
    services: "service shop : Shop {}",
    permit: 'auto shop.buy where gift == true and count <= 3 and colour in ["red", "green"] else consent',
    rest: "image { target linux  machine vm  boot operator }",
  });
  const { tables } = await compilePolicy(shop);
  expect(tables.decisions[0]?.clauses).toEqual([
    {
      conditions: [
        { path: ["gift"], term: "value", operator: "equal", literals: [{ which: "boolean", boolean: true }], ...PLAIN },
        {
          path: ["count"],
          term: "value",
          operator: "lessOrEqual",
          literals: [{ which: "decimal", decimal: "3" }],
          ...PLAIN,
        },
        {
          path: ["colour"],
          term: "value",
          operator: "in",
          literals: [
            { which: "text", text: "red" },
            { which: "text", text: "green" },
          ],
          ...PLAIN,
        },
      ],
      met: "auto",
      otherwise: "consent",
      group: 0,
      rule: 0,
    },
  ]);
});

test("a session is resolved after its base, even if the page declares the session first", async () => {
  const { tables } = await compilePolicy(
    renderFactsPage({
      sessions: `session operator extends evening { permit { consent notes.read } }
        session evening extends day { permit { consent notes.list } }
        session day { kind operator  models { auto canned }  permit { auto readOnly } }`,
    }),
  );
  const modes = tables.rows.map(({ session, cells }) => {
    const clauses = cells.map((cell) => tables.decisions[cell - 2]?.clauses.map(({ met }) => met).join(" "));
    return [session, ...clauses.filter((clause) => clause !== undefined)];
  });
  expect(modes).toEqual([
    ["day", "auto", "auto"],
    ["evening", "auto consent", "auto"],
    ["operator", "auto consent", "auto consent"],
  ]);
});

test("a session without a kind is a guest", async () => {
  const { tables } = await compilePolicyWithoutLaws(
    renderFactsPage({ sessions: operator("auto readOnly").replace("kind operator", "") }),
  );
  expect(tables.rows[0]?.kind).toBe("guest");
});

const BOARD = (sessions: string) =>
  renderFactsPage({
    top: "interface Board { method post : mutatingLocal  method wipe : admin }",
    services: "service board : Board {}",
    sessions,
    rest: "image { target linux  machine vm  boot operator }",
  });

/**
 * Returns, for each tool of the board in a session, the ids of the rules in its decision list. If a tool has no
 * decision list, returns its cell: 0 if the tool is suppressed, or 1 if no line covers it.
 */
async function rulesFor(text: string, session: string) {
  const { tables } = await compilePolicy(text);
  const row = tables.rows.find((at) => at.session === session);
  return row?.cells.map(
    (cell) => tables.decisions[cell - 2]?.clauses.map(({ rule }) => tables.rules[rule]?.id) ?? cell,
  );
}

test("ruling 7: if a guest session has a rule for an admin tool, the line with the session's kind forbids the tool", async () => {
  const guest = (permit: string) =>
    BOARD(`session operator { kind guest  models { auto canned }  permit { ${permit} } }`);
  expect(await rulesFor(guest("auto board.post"), "operator")).toEqual([["operator/auto board.post"], 1]);
  expect(await rulesFor(guest("auto board.*"), "operator")).toEqual([
    ["operator/auto board.*"],
    ["operator/auto board.*", "operator/kind guest"],
  ]);
});

test("ruling 7: a widening also applies in sessions that extend its session, and in sessions declared `from` its session if they have no rule for the tool", async () => {
  const WIDENED = `abstract session base { kind guest  models { auto canned }  permit { auto mutatingLocal }
    widen { consent board.wipe } because "CHG-2: guests wipe" }`;
  const widened = "base/widen consent board.wipe";
  const heirs = BOARD(`${WIDENED}  session operator extends base { permit { consent board.* } }
    session like from base { permit { consent board.post } }`);
  expect((await rulesFor(heirs, "operator"))?.[1]).toEqual([widened, "operator/consent board.*"]);
  expect((await rulesFor(heirs, "like"))?.[1]).toEqual([widened]);
});

test("ruling 7: admin tools are forbidden in a guest session that extends an operator session, as in any guest session", async () => {
  const { tables } = await compilePolicyWithoutLaws(
    BOARD(`abstract session base { kind operator  models { auto canned }  permit { auto board.* } }
      session operator extends base { kind guest }`),
  );
  const wipe = tables.decisions[(tables.rows[0]?.cells[1] ?? 0) - 2];
  expect(wipe?.clauses.map(({ met }) => met)).toEqual(["auto", "forbidden"]);
});

test("floors of a session apply in its tasks, and floors of a task apply in its phases", async () => {
  const FLOOR = (mode: string) => `when integrity <= untrusted { atLeast ${mode} notes.write }`;
  const { tables } = await compilePolicy(
    renderFactsPage({
      sessions: `${operator("auto readOnly  auto mutatingLocal", FLOOR("consent"))}
        task t in operator { ${FLOOR("forbidden")}  phase p { only notes.write } }`,
    }),
  );
  const floors = tables.rows.map(({ phase, cells }) => [
    phase,
    tables.decisions[(cells.at(-1) ?? 0) - 2]?.floors.map(({ mode }) => mode),
  ]);
  expect(floors).toEqual([
    ["", ["consent"]],
    ["p", ["forbidden", "consent"]],
  ]);
});

test("the row of a session has the session's timeout for each scope", async () => {
  const { tables } = await compilePolicy(
    renderFactsPage({
      top: 'principal alice { ssh "keys/alice.pub" }',
      sessions: operator(
        "auto readOnly",
        "principals alice  login key  timeout { 1 s per call  2 s per turn  4 s per login  3 s per idle }",
      ),
    }),
  );
  expect(tables.rows[0]?.timeouts).toEqual({ callMs: 1000, turnMs: 2000, loginMs: 4000, idleMs: 3000 });
});

test("releases are sorted by their text, and rows list those that apply", async () => {
  const release = (tool: string, whose: string) =>
    `declassify ${tool} from internal to public by consent ${whose} because "CHG-9: a report"`;
  const { tables } = await compilePolicy(
    renderFactsPage({
      top: `${release("notes.write", "for operator")}  ${release("Files.delete", "for visitor")}  ${release("Files.delete", "for visitor")}`,
      services: "service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }",
      backends: "backend canned { stub clearance internal }",
      sessions: ["operator", "visitor"]
        .map(
          (name) => `session ${name} { kind operator  clearance internal  models { auto canned }  permit { auto * } }`,
        )
        .join(" "),
    }),
  );
  const shown = tables.releases.map(({ tools, rule }) => [
    tools.map((tool) => tables.tools[tool]?.name),
    tables.rules[rule]?.id.split(" ").slice(0, 2).join(" "),
  ]);
  expect(shown).toEqual([
    [["drafts.delete", "notes.delete"], "release/declassify Files.delete"],
    [["notes.write"], "release/declassify notes.write"],
  ]);
  expect(tables.rows.map(({ session, releases }) => [session, releases])).toEqual([
    ["operator", [1]],
    ["visitor", [0]],
  ]);
});

test("a release of a task applies only in its phases and workers, and an equal release of another task is a separate rule", async () => {
  const line = 'declassify notes.write from secret to public by consent because "CHG-9: a report"';
  const policy = await compilePolicyOnPaper(
    renderFactsPage({
      services: "service notes : Files { state 1 MiB  label public/reviewed }",
      backends: "backend canned { stub  clearance secret }",
      sessions: `session operator { kind operator  clearance secret  models { auto canned }  permit { auto * } }
        session night extends operator {}
        task publish in operator { ${line}  phase look { only readOnly }  phase tell after consent {} }
        task mend in operator { ${line.replace("because", "for night because")} }
        worker digest in publish {}`,
    }),
  );
  if (policy === undefined) throw new Error("the page is lawful");
  const { rows, rules, releases } = policy.tables;
  const held = rows.filter((row) => row.releases.length > 0);
  expect(
    held.map(({ releases: all, ...row }) => [formatRowPath(row), all.map((at) => rules[releases[at]?.rule ?? -1]?.id)]),
  ).toEqual([
    ["night.mend", [`operator.mend/${line.replace("because", "for night because")}`]],
    ...["night", "operator"].flatMap((session) =>
      ["look", "look.digest", "tell", "tell.digest"].map((place) => [
        `${session}.publish.${place}`,
        [`operator.publish/${line}`],
      ]),
    ),
  ]);
});

test("the decision of a session without its own widenings is computed from the decision of its base", async () => {
  const model = await bindModel(
    BOARD(`session base { kind operator  models { auto canned }  permit { consent board.post } }
      session operator extends base { permit { auto board.post }  widen { auto board.post } because "CHG-3: quick" }`),
  );
  const [base, heir] = ["base", "operator"].map((id) => model.sessions.find((session) => session.id === id));
  const [post] = model.tools;
  if (base === undefined || heir === undefined || post === undefined) throw new Error("they stand on the page");
  const resolution = resolveSessions(model);
  const words = (answer: { clauses: readonly { rule: { words: string } }[] } | undefined) =>
    answer?.clauses.map(({ rule }) => rule.words);
  expect(words(resolution.get(heir)?.[0])).toEqual(['widen auto board.post because "CHG-3: quick"']);
  const answer = createUnwidenedReader(heir)(post, resolution.get(base)?.[0]);
  expect(words(answer)).toEqual(["consent board.post", "auto board.post"]);
  expect([...groupLinesByKey(base)].map(([key, lines]) => [key, lines.map((line) => line.words)])).toEqual([
    ["tool board.post", ["consent board.post"]],
  ]);
});
