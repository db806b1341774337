// Tests the golden decisions of all examples with gates in this process. Also plays the conversations of examples that
// have programs of their own.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readTables, renderPlainArguments } from "../../../engine/lib/policy/index.ts";
import { newSshKey, type SshKey } from "../../../engine/processes/broker/sshsig/testing/ssh-keygen.ts";
import { compileExample, listExampleNames, readGoldenDecisions } from "../golden/golden.ts";
import { createStage } from "./examples.ts";
import { collectSpoken } from "./fake-console.ts";
import { type Rehearsal, rehearse, type Scene } from "./rehearsal.ts";

let folder = "";
let person: SshKey;

beforeAll(() => {
  person = newSshKey();
});
afterAll(() => person.remove());
const signIn = (challenge: string) => person.sign(challenge, { namespace: "login@capos" });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-examples-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** For each decision in a golden: the outcome of a call if the person approves nothing. */
const COMES: Readonly<Record<string, RegExp>> = {
  auto: /^(?:ok|executionError|timedOut|refusedByPolicy: it ran, and its result is above)\b/,
  consent: /^deniedByUser\b/,
  stepUp: /^stepUpFailed\b/,
  refusedByPolicy: /^refusedByPolicy\b/,
  unknownTool: /^unknownTool\b/,
};

/** Outcome of a call that needs the network or a static program. The machine in this process has neither. */
const NOT_THERE = /^executionError: \w+ was not granted to this session$/;

/** Decisions after which a call runs, or could run if the person approved it. */
const RUNS: ReadonlySet<string> = new Set(["auto", "consent", "stepUp"]);

interface Row {
  readonly session: string;
  readonly task: string;
  readonly phase: string;
  readonly tool: string;
  readonly decided: string;
}

/**
 * Divides the lines of a golden into groups; the lines of one group are decided in the same conversation. Each call
 * that may run has its own conversation and audit log, so that earlier results do not affect its decision. A refused
 * call has no result, so all refused calls of a phase share one conversation.
 */
function groupRows(lines: readonly string[]): readonly (readonly [Row, ...Row[]])[] {
  const rows = lines.flatMap((line): readonly Row[] => {
    const [session = "", task = "-", phase = "-", worker, tool = "", , , decided = ""] = line.split("\t");
    // Only programs start workers, and no program of an image does so yet.
    return worker === "-" ? [{ session, task, phase, tool, decided }] : [];
  });
  const place = ({ session, task, phase, tool, decided }: Row): string =>
    JSON.stringify([session, task, phase, ...(RUNS.has(decided) ? [tool] : [])]);
  return [...Map.groupBy(rows, place).values()].flatMap(([first, ...more]) => (first ? [[first, ...more]] : []));
}

/** Starts a task and enters its phase. The person approves or signs if the task or the phase requires this. */
async function enter(scene: Scene, task: string, phase: string): Promise<void> {
  const say = async (command: string, name: string): Promise<void> => {
    for (const answer of ["granted", person.sign] as const) {
      scene.console.answers.push(answer);
      const [line = ""] = await scene.command(command, name);
      scene.console.answers.length = 0;
      if (!line.startsWith("refused")) return;
    }
  };
  await say("task", task);
  const [here = ""] = await scene.command("phase");
  if (phase !== "-" && !here.includes(`phase ${phase} `)) await say("phase", phase);
  const place = phase === "-" ? `task ${task}` : `phase ${phase} of task ${task}`;
  expect((await scene.command("phase"))[0]).toBe(`this conversation is in ${place}`);
}

async function comesOf(scene: Scene, tool: string, args: string): Promise<string> {
  scene.console.answers.push("denied");
  const [line = ""] = await scene.command("tool", `${tool} ${args}`);
  scene.console.answers.length = 0;
  return line;
}

test.each(listExampleNames())(
  "%s: a gate prints the golden table, and decides calls with the simplest arguments as this table states",
  async (example) => {
    const stage = await createStage(example, folder, person.line);
    const tables = readTables(stage.tables);
    if (!tables.ok) throw new Error(tables.reason);
    const { services } = (await compileExample(example)).policy;
    const native = new Set(services.filter((one) => one.implementation === "own-native").map(({ name }) => name));
    const absent = tables.value.tools.filter(({ networked, provider }) => networked || native.has(provider));
    const missing = new Set(absent.map(({ name }) => name));
    const params = new Map(tables.value.tools.map((tool) => [tool.name, tool.params]));
    const golden = readGoldenDecisions(example);
    const played = await rehearse({ ...stage, signIn });
    expect(await played.command("policy", "decisions")).toEqual(golden);
    for (const rows of groupRows(golden.slice(1))) {
      const [{ session, task, phase }] = rows;
      const disk = stage.disk && mkdtempSync(join(folder, "audit-"));
      const alone = await rehearse({ ...stage, disk, session, signIn });
      if (task !== "-") await enter(alone, task, phase);
      for (const { tool, decided } of rows) {
        const came = await comesOf(alone, tool, renderPlainArguments(params.get(tool) ?? []));
        const comes = RUNS.has(decided) && missing.has(tool) ? NOT_THERE : COMES[decided];
        expect(came, `${session} ${task} ${phase}: ${tool} is decided ${decided}`).toMatch(comes ?? /never/);
      }
      await alone.stop();
    }
    await played.stop();
  },
);

async function playing(example: string): Promise<Rehearsal> {
  return rehearse(await createStage(example, folder));
}

test("capnp-tools: the conversation ends as the README states", async () => {
  const played = await playing("capnp-tools");
  const { console } = played;
  const book = () => JSON.parse(readFileSync(join(folder, "books/book.json"), "utf8"));
  expect(collectSpoken(await console.say("What is left?"))).toBe("Travel holds 50000 cents.");
  console.answers.push("denied");
  expect(collectSpoken(await console.say("Pay Ada's train."))).toBe("Then not.");
  expect(readdirSync(join(folder, "books"))).toEqual([]);
  console.answers.push("granted");
  expect(collectSpoken(await console.say("Pay Ada's train."))).toBe("Paid as p1; 45100 cents are left.");
  expect(book().payments).toMatchObject([{ id: "p1", payee: "Ada", cents: 4900, memo: "train" }]);
  expect(collectSpoken(await console.say("Pay for the conference."))).toMatch(/^I may not: .*cents <= 10000/);
  console.answers.push("granted");
  expect(collectSpoken(await console.say("Pay more coffee than there is."))).toMatch(/coffee holds 4200 cents only$/);
  expect(collectSpoken(await console.say("Pay nothing."))).toMatch(
    /^That makes no sense: .*cents is not between 1 and 1000000/,
  );
  expect(collectSpoken(await console.say("What was paid?"))).toMatch(/^So far: .*"payee":"Ada"/);
  expect(collectSpoken(await console.say("Take it back."))).toMatch(/^I may not: /);
  expect(book().left).toEqual({ travel: 45_100, coffee: 4200 });
  await played.leave();
});

test("seed-four: changes of several files are proposed, reviewed, and applied by the service of the files", async () => {
  const played = await playing("seed-four");
  const { console } = played;
  const allowed = (words: string) => {
    console.answers.push("granted");
    return played.command("tool", words);
  };
  expect(await allowed('papers.write {"path":"plan.txt","content":"buy milk"}')).toEqual(['ok: {"bytes":8}']);
  expect(collectSpoken(await console.say("Propose tea instead of milk."))).toBe("It is proposed as p1.");
  expect(readdirSync(join(folder, "papers"))).toEqual(["plan.txt"]);
  console.answers.push("denied");
  expect((await played.command("tool", 'changes.apply {"id":"p1"}'))[0]).toMatch(/^deniedByUser/);
  expect(await allowed('changes.apply {"id":"p1"}')).toEqual(["ok: {}"]);
  const papers = readdirSync(join(folder, "papers")).map((name) => readFileSync(join(folder, "papers", name), "utf8"));
  expect(papers).toEqual(["buy tea", "tea: 2\n"]);
  const beyond = '{"title":"out","edits":[{"path":"../memory/memory.db","before":"Paris","after":"Lyon"}]}';
  expect((await played.command("tool", `changes.propose ${beyond}`))[0]).toMatch(
    /papers\.check: edit 1: a path may not hold \.\. or a zero byte/,
  );
  expect(collectSpoken(await console.say("Propose tea instead of milk."))).toMatch(
    /edit 1: what should stand there does not/,
  );
  await played.leave();
});

test("mcp-import: the conversation ends as the README states", async () => {
  const played = await playing("mcp-import");
  const { console } = played;
  expect(collectSpoken(await console.say("What is open?"))).toBe("Open: The pager is silent");
  expect(collectSpoken(await console.say("Show the first one."))).toBe("The pager is silent is open.");
  console.answers.push("denied", "granted");
  expect(collectSpoken(await console.say("Say that it works again."))).toBe("Then I say nothing.");
  expect(collectSpoken(await console.say("Say that it works again."))).toBe("Said so.");
  expect(JSON.parse(readFileSync(join(folder, "gh/mirror.json"), "utf8")).issues[0].comments).toEqual([
    "It works again.",
  ]);
  expect(collectSpoken(await console.say("Merge it."))).toMatch(/^I may not: /);
  expect(collectSpoken(await console.say("Delete the repository."))).toMatch(/^There is no such tool: /);
  expect(collectSpoken(await played.scene("visitor").console.say("Show the first one."))).toMatch(
    /^I cannot look into issues: /,
  );
  await played.leave();
});
