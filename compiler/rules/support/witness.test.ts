import { expect, test } from "vitest";
import { compilePolicy, renderFactsPage } from "../../dev/fixtures/facts.ts";
import type { WitnessStep } from "../../phases/prove/index.ts";
import { renderWitness } from "./witness.ts";

const LABEL = { confidentiality: 1, integrity: 0, compartments: 0n };
const SEEN = "has seen internal/untrusted";

async function tables() {
  const policy = await compilePolicy(
    renderFactsPage({ permit: 'auto readOnly  auto Files.write where path under "/a" else consent' }),
  );
  return policy.tables;
}

async function render(steps: readonly WitnessStep[], task = "") {
  return renderWitness(await tables(), { conversations: [{ session: "operator", task, steps }] });
}

test("each conversation has a number, its session and its task", async () => {
  const conversations = [
    { session: "operator", task: "", steps: [] },
    { session: "operator", task: "mend", steps: [] },
  ];
  expect(renderWitness(await tables(), { conversations })).toEqual([
    "1. a conversation in operator",
    "2. a conversation in operator, in the task mend",
  ]);
});

test("the text of each step states the action, its gate, and the label of the conversation after the step", async () => {
  const steps: readonly WitnessStep[] = [
    { kind: "phase", phase: "mend", gate: "consent", label: LABEL },
    { kind: "ingress", name: "desk", label: LABEL },
    { kind: "worker", worker: "clerk", label: LABEL, steps: [{ kind: "ingress", name: "door", label: LABEL }] },
    { kind: "infer", backend: "canned", gate: "auto", label: LABEL },
  ];
  expect((await render(steps)).slice(1)).toEqual([
    `   goes on to phase mend: consent; ${SEEN}`,
    `   words come in through desk; ${SEEN}`,
    `   the worker clerk works; the conversation ${SEEN}`,
    `      words come in through door; ${SEEN}`,
    `   canned is asked: auto; it hears all of this, the conversation ${SEEN}`,
  ]);
});

test("the text of a call names its rule or `else`, the number of its repetitions, and the label of its result", async () => {
  const { rules } = await tables();
  const rule = rules.findIndex(({ words }) => words.startsWith("auto Files.write"));
  const line = `\`${rules[rule]?.words}\` (${rules[rule]?.place})`;
  const call = { kind: "call", tool: "notes.write", arguments: "{}", rule, label: LABEL } as const;
  const said = await render([
    { ...call, gate: "auto" },
    { ...call, gate: "consent", times: 3 },
    { ...call, gate: "auto", returning: LABEL },
    { ...call, gate: "auto", rule: rules.length },
  ]);
  expect(said.slice(1)).toEqual([
    `   notes.write {}: auto by ${line}; ${SEEN}`,
    `   notes.write {}, 3 times: consent by the else of ${line}; ${SEEN}`,
    `   notes.write {}: auto by ${line}, returns internal/untrusted; ${SEEN}`,
    `   notes.write {}: auto by no line of the page; ${SEEN}`,
  ]);
});

test("the text of a call names each value that an earlier text must contain, and names it once", async () => {
  const { rules } = await tables();
  const rule = rules.findIndex(({ words }) => words === "auto readOnly");
  const call = { kind: "call", tool: "notes.read", arguments: "{}", rule, label: LABEL, gate: "auto" } as const;
  const person = { which: "person" } as const;
  const field = {
    which: "field",
    field: { tool: "contacts.find", name: "address", related: [], isStrong: true },
  } as const;
  const [none, one, several] = (
    await render([
      { ...call, heard: [{ value: "x", sources: [person], standing: "none" }] },
      { ...call, heard: [{ value: "a.txt", sources: [person], standing: "strong" }] },
      {
        ...call,
        heard: [
          { value: "a.txt", sources: [person, field], standing: "weak" },
          { value: "x", sources: [person], standing: "none" },
          { value: 7, sources: [person], standing: "strong" },
          { value: 7, sources: [person], standing: "strong" },
        ],
      },
    ])
  ).slice(1);
  const line = `\`auto readOnly\` (${rules[rule]?.place}); ${SEEN}`;
  expect(none).toBe(`   notes.read {}: auto by ${line}`);
  expect(one).toBe(`   notes.read {}, after "a.txt" stood in person: auto by ${line}`);
  expect(several).toBe(
    `   notes.read {}, after "a.txt" stood in person or contacts.find.address and 7 stood in person: auto by ${line}`,
  );
});

test("the text of a call names the release that it needs, and the tool that a service may use by a grant", async () => {
  const { tables: released } = await compilePolicy(
    renderFactsPage({
      permit: "auto readOnly  consent mutatingLocal",
      rest: `declassify notes.write from internal to public by consent because "CHG-9: a report"
        storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
    }),
  );
  const rule = released.rules.findIndex(({ words }) => words === "auto readOnly");
  const release = released.rules[released.releases[0]?.rule ?? -1];
  expect(release?.words).toContain("declassify notes.write");
  const call = { kind: "call", tool: "notes.read", arguments: "{}", rule, label: LABEL, gate: "auto" } as const;
  const steps = [
    { ...call, release: 0 },
    { ...call, release: 1 },
    { ...call, use: { tool: "papers.write", by: "changes" } },
  ];
  const line = `\`auto readOnly\` (${released.rules[rule]?.place})`;
  const said = renderWitness(released, { conversations: [{ session: "operator", task: "", steps }] });
  expect(said.slice(1)).toEqual([
    `   notes.read {}: auto by ${line}, let out by \`${release?.words}\` (${release?.place}); ${SEEN}`,
    `   notes.read {}: auto by ${line}, let out by no line of the page; ${SEEN}`,
    `   notes.read {}: auto by ${line}, may use papers.write by a grant of changes; ${SEEN}`,
  ]);
});
