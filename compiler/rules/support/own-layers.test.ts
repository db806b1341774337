import { expect, test } from "vitest";
import { renderCheck } from "../../../lang/format/index.ts";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import type { Model } from "../../phases/bind/index.ts";
import { type Answer, resolveSessions } from "../../phases/policy/index.ts";
import { findConditionalLines } from "./conditional.ts";
import type { Page } from "./law.ts";
import {
  collectLayers,
  computeAnswersWithin,
  findAnswersAround,
  findDefensive,
  listLines,
  listNarrowings,
  listPatterns,
  type OwnLayer,
} from "./own-layers.ts";

const PAGE = renderFactsPage({
  top: "use std.profiles",
  services: "service notes : Files { state 1 MiB }",
  sessions: `session base { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal, destructive } }
    session operator extends base {
      permit { forbidden notes.delete }
      widen { auto notes.write where size(content) <= 1 KiB else consent } because "CHG-1"
      widen { auto notes.list } because "CHG-2"
    }
    task triage in operator {
      permit { consent notes.read }
      phase look { permit { forbidden notes.write } }
      phase mend after consent { only notes.* }
    }
    worker digest in operator { permit { consent readOnly } }
    worker helper in operator.triage { permit { auto readOnly } }`,
  rest: 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }',
});

async function readPage(text = PAGE): Promise<Page> {
  const model = await bindModel(text);
  const resolution = resolveSessions(model);
  return { model, resolution, trees: [], provided: new Map(), today: "2026-01-01" };
}

function findLayer(model: Model, name: string): OwnLayer {
  const found = collectLayers(model).find((layer) => layer.name === name);
  if (found === undefined) throw new Error(`the page has a layer ${name}`);
  return found;
}

/**
 * Returns a text such as `notes.read: consent` for each tool about which a rule decides; the mode is that of the
 * strictest rule.
 */
function describeAnswers({ tools }: Model, answers: readonly Answer[] | undefined): string[] {
  return tools.flatMap(({ name }, index) => {
    const modes = answers?.[index]?.clauses.map(({ met }) => met) ?? [];
    return modes.length === 0 ? [] : [`${name}: ${modes.join(", ")}`];
  });
}

test("the layers are the page's sessions, then each task with its phases, then workers, without layers of the standard library", async () => {
  const { model } = await readPage();
  expect(collectLayers(model).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "session base",
    "session operator",
    "task operator.triage",
    "phase operator.triage.look",
    "phase operator.triage.mend",
    "worker operator.digest",
    "worker operator.triage.helper",
  ]);
  expect(model.sessions.some(({ own }) => !own)).toBe(true);
});

test("a layer has its own rules, and only sessions have widenings", async () => {
  const { model } = await readPage();
  const words = (name: string) => {
    const { said, widenings } = findLayer(model, name);
    return [said.lines.map((line) => line.words), widenings.flatMap(({ lines }) => lines.map((line) => line.words))];
  };
  expect(words("operator")).toEqual([
    ["forbidden notes.delete"],
    ["auto notes.write where size(content) <= 1 KiB else consent", "auto notes.list"],
  ]);
  expect(words("operator.triage")).toEqual([["consent notes.read"], []]);
  expect(words("operator.triage.look")).toEqual([["forbidden notes.write"], []]);
  expect(words("operator.digest")).toEqual([["consent readOnly"], []]);
  expect(words("operator.triage.helper")).toEqual([["auto readOnly"], []]);
});

test("each layer belongs to a session, and is damaged if the surrounding declaration is damaged", async () => {
  const { model } = await readPage();
  const { tasks, workers, sessions } = model;
  expect(collectLayers(model).map(({ session }) => session.id)).toEqual(["base", ...Array(6).fill("operator")]);
  expect(collectLayers(model).map(({ damaged }) => damaged)).toEqual(Array(7).fill(false));
  const broken = {
    ...model,
    sessions: sessions.map((one) => ({ ...one, damaged: one.id === "base" })),
    tasks: tasks.map((one) => ({ ...one, damaged: true })),
    workers: workers.map((one) => ({ ...one, damaged: one.name === "helper" })),
  };
  expect(collectLayers(broken).flatMap(({ name, damaged }) => (damaged ? [name] : []))).toEqual([
    "base",
    "operator.triage",
    "operator.triage.look",
    "operator.triage.mend",
    "operator.triage.helper",
  ]);
});

test("findAnswersAround returns the decisions of the base of a session, or undefined if it has no base", async () => {
  const page = await readPage();
  const around = (name: string) => {
    const answers = findAnswersAround(page, findLayer(page.model, name));
    return answers && describeAnswers(page.model, answers);
  };
  const base = ["notes.read: auto", "notes.list: auto", "notes.write: consent", "notes.delete: consent"];
  expect(around("base")).toBeUndefined();
  expect(around("operator")?.toSorted()).toEqual(base.toSorted());
});

test("findAnswersAround returns the decisions of all layers around a task, a phase or a worker", async () => {
  const page = await readPage();
  const around = (name: string) =>
    describeAnswers(page.model, findAnswersAround(page, findLayer(page.model, name))).filter((line) =>
      line.startsWith("notes.read"),
    );
  expect(around("operator.triage")).toEqual(["notes.read: auto"]);
  expect(around("operator.digest")).toEqual(["notes.read: auto"]);
  expect(around("operator.triage.look")).toEqual(["notes.read: auto, consent"]);
  expect(around("operator.triage.helper")).toEqual(["notes.read: auto, consent"]);
});

test("the decisions within a layer combine its own rules with the surrounding decisions", async () => {
  const page = await readPage();
  const within = (name: string, tool: string) =>
    describeAnswers(page.model, computeAnswersWithin(page, findLayer(page.model, name))).filter((line) =>
      line.startsWith(tool),
    );
  expect(within("base", "notes.delete")).toEqual(["notes.delete: consent"]);
  expect(within("operator", "notes.delete")).toEqual(["notes.delete: consent, forbidden"]);
  expect(within("operator.triage", "notes.read")).toEqual(["notes.read: auto, consent"]);
  expect(within("operator.triage.look", "notes.write")).toEqual(["notes.write: auto, forbidden"]);
  expect(within("operator.triage.mend", "notes.write")).toEqual(["notes.write: auto"]);
  expect(within("operator.digest", "notes.read")).toEqual(["notes.read: auto, consent"]);
  expect(within("operator.triage.helper", "notes.read")).toEqual(["notes.read: auto, consent, auto"]);
});

test("a session whose rules are not resolved has no decisions", async () => {
  const page = await readPage();
  expect(computeAnswersWithin({ ...page, resolution: new Map() }, findLayer(page.model, "operator"))).toEqual([]);
});

test("tasks, their phases, and workers narrow sessions", async () => {
  const { model } = await readPage();
  expect(listNarrowings(model).map(({ id }) => id)).toEqual([
    "operator.triage",
    "operator.triage.look",
    "operator.triage.mend",
    "operator.digest",
    "operator.triage.helper",
  ]);
});

test("the rules of a session come before the rules of its widenings", async () => {
  const { model } = await readPage();
  const { said, widenings } = findLayer(model, "operator");
  expect(listLines(said, widenings).map(({ words }) => words)).toEqual([
    "forbidden notes.delete",
    "auto notes.write where size(content) <= 1 KiB else consent",
    "auto notes.list",
  ]);
  expect(listLines(said, []).map(({ words }) => words)).toEqual(["forbidden notes.delete"]);
});

test("patterns are found in rules, widenings, floors, `only` and `suppress`", async () => {
  const { model } = await readPage(
    renderFactsPage({
      sessions: `session base { kind operator  models { auto canned }  permit { auto readOnly } }
        session operator extends base {
          permit { consent notes.read, notes.list }
          only notes.*, readOnly
          suppress notes.delete
          when unattended { atLeast consent mutatingLocal }
          widen { auto notes.write } because "CHG-1"
        }`,
    }),
  );
  const { said, widenings } = findLayer(model, "operator");
  const keys = (patterns: ReturnType<typeof listPatterns>) => patterns.map(({ span }) => readSpan(span));
  const readSpan = ({ source, start, end }: { source: { text: string }; start: number; end: number }) =>
    source.text.slice(start, end);
  const own = ["notes.read", "notes.list", "mutatingLocal", "notes.*", "readOnly", "notes.delete"];
  expect(keys(listPatterns(said, []))).toEqual(own);
  expect(keys(listPatterns(said, widenings))).toEqual([...own.slice(0, 2), "notes.write", ...own.slice(2)]);
});

test("a rule that forbids a category without tools counts as a rule for future tools", async () => {
  const { model } = await readPage(
    renderFactsPage({
      permit:
        'auto readOnly  forbidden admin, destructive, notes.*, Shop.*  consent outboundNet  forbidden spend where it == "a" else consent',
      top: "category spend : admin  interface Shop { method buy : destructive }",
    }),
  );
  const { said } = findLayer(model, "operator");
  expect(findDefensive(said).map(({ category }) => category?.name)).toEqual(["admin"]);
});

test("rules with a condition are found in sessions, widenings, tasks, phases and workers", async () => {
  const where = (bytes: number) => `auto notes.write where size(content) <= ${bytes} B else consent`;
  const model = await bindModel(
    renderFactsPage({
      sessions: `session base { kind operator  models { auto canned }  permit { auto readOnly  ${where(1)} } }
        session operator extends base { permit { consent readOnly }  widen { ${where(2)} } because "CHG-1" }
        task triage in operator { permit { ${where(3)} }  phase look { permit { ${where(4)} } } }
        worker digest in operator { permit { ${where(5)} } }`,
    }),
  );
  const found = findConditionalLines(model).map(({ checks }) => checks.map(({ node }) => renderCheck(node)).join());
  expect(found).toEqual([1, 2, 3, 4, 5].map((bytes) => `size(content) <= ${bytes} B`));
});
