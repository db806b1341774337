// Tests a whole conversation with the model of an image on this machine. The image's own worker runs in the namespaces,
// the root file system, the mounts and the system call filter that init gives it.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { type Conversing, play, runConversation } from "./conversation.ts";
import { AGENT, readConversation, readOwnWeights } from "./offline-agent.ts";
import { buildJailed } from "./worker.ts";

if (!existsSync(AGENT.image)) throw new Error(`${AGENT.image} is not there: the stage that builds it runs before`);
buildJailed();

/** Facts that the kernel reports about a running process. */
interface Seen {
  readonly status: string;
  readonly namespaces: readonly string[];
  readonly weights: string;
}

const NAMESPACES = ["cgroup", "ipc", "mnt", "net", "pid", "uts"];

function seenOf({ worker }: Conversing): Seen {
  const proc = `/proc/${lastChildOf(worker.pid)}`;
  const mappings = asRoot("cat", `${proc}/smaps`).split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return {
    status: asRoot("cat", `${proc}/status`),
    namespaces: NAMESPACES.map((name) => asRoot("readlink", `${proc}/ns/${name}`).trim()),
    weights: mappings.filter((one) => one.split("\n")[0]?.endsWith(" /weights")).join(""),
  };
}

/**
 * Returns the last process in the chain of first children of `pid`. The chain may contain any number of `sudo`
 * processes before the jailed process.
 */
function lastChildOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return child === undefined || child === "" ? pid : lastChildOf(Number(child));
}

function asRoot(...words: readonly string[]): string {
  const [program = "", ...more] = process.getuid?.() === 0 ? words : ["sudo", "-n", ...words];
  return execFileSync(program, more, { encoding: "utf8" });
}

const script = readConversation();
const played = await runConversation(AGENT, async (scene) => {
  const said = await play(scene, script);
  return { ...said, seen: seenOf(scene), id: scene.worker.id };
});

test("each line of the person gets a response", () => {
  const { lines } = played;
  const places = lines.flatMap((line, at) => (line.startsWith("you> ") ? [at] : []));
  expect(places).toHaveLength(script.stretches.filter(({ act }) => act.kind === "say").length);
  for (const at of places) expect(lines[at + 1], lines.join("\n")).toMatch(/^(agent> .|\[tool\] |\* )/);
});

test("with capc's own weights, the model turns a request into a call, and its result into a sentence", () => {
  expect(played.id).toBe(`llama:sha256-${readOwnWeights().sha256}`);
  const claims = script.stretches.flatMap(({ expectations }) => expectations);
  expect(played.verdicts).toHaveLength(claims.length);
  expect(
    played.verdicts.filter(({ passed }) => !passed).map(({ line, words }) => `${line}: ${words}`),
    played.lines.join("\n"),
  ).toEqual([]);
});

test("the kernel reports that the model worker is in its jail", () => {
  const told = (field: string) => new RegExp(`^${field}:\\s*(.*)$`, "m").exec(played.seen.status)?.[1];
  expect(["Seccomp", "NoNewPrivs", "CapEff", "CapBnd"].map(told)).toEqual(["2", "1", ...Array(2).fill("0".repeat(16))]);
  expect(Number(told("Uid")?.split("\t")[0])).toBeGreaterThan(2000);
  const ours = NAMESPACES.map((name) => readlinkSync(`/proc/self/ns/${name}`));
  expect(played.seen.namespaces.filter((name) => ours.includes(name))).toEqual([]);
});

test("the weights are mapped read-only and not copied", () => {
  const ways = [...played.seen.weights.matchAll(/^[0-9a-f]+-[0-9a-f]+ (....) /gm)].map(([, way]) => way?.slice(0, 3));
  expect(ways.length).toBeGreaterThan(0);
  expect(ways.filter((way) => way !== "r--")).toEqual([]);
  const kib = (field: string) => [...played.seen.weights.matchAll(new RegExp(`^${field}:\\s+(\\d+) kB`, "gm"))];
  const sum = (field: string) => kib(field).reduce((total, [, number]) => total + Number(number), 0);
  expect(sum("Rss")).toBeGreaterThan(0);
  expect(["Private_Dirty", "Shared_Dirty", "Anonymous"].map(sum)).toEqual([0, 0, 0]);
});
