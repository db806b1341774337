// `capc why` reads the page, and `/why` on the machine reads the tables. Both must explain a call with the same
// sentences.

import { expect, test } from "vitest";
import { changeWords, decide, renderChange } from "../../../engine/lib/policy/index.ts";
import { describeLeastChange as leastInGate } from "../../../engine/processes/gate/commands/least-change.ts";
import { compile } from "../../compile.ts";
import { ALICE } from "../../dev/fixtures/facts.ts";
import { testSurroundings } from "../../dev/fixtures/surroundings.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import { createMemoryHost } from "../../phases/source/index.ts";
import { explainDecision, findLeastChange, type Question } from "./index.ts";
import { createConversation } from "./question.ts";
import { renderExplanation } from "./render-explanation.ts";

const PAGE = `system sample {
  use std.tools
  principal alice { ssh "alice.pub" }
  backend canned { stub  clearance secret }
  service notes : Files { state 1 MiB  label secret/reviewed }
  service drafts : Files { state 1 MiB  label public/reviewed }
  session operator {
    kind operator  principals alice  clearance secret  models { auto canned }
    permit {
      auto readOnly  consent drafts.delete  consent mutatingLocal  forbidden notes.delete
      forbidden notes.write where path under "/locked" else consent
    }
    quota { 1 KiB per call }
  }
  session reader {
    kind operator  principals alice  clearance secret  models { auto canned }
    permit { auto readOnly  auto drafts.write }
  }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}`;

const options = { ...testSurroundings, purpose: "check" } as const;
const host = createMemoryHost({ "/system.cap": PAGE, "/alice.pub": ALICE });
const made = await compile(host, "/system.cap", options);

async function both(asked: Partial<Question> & { readonly tool: string }) {
  const question = { session: "operator", ...asked };
  const { policy, origins, model } = made;
  if (policy === undefined || origins === undefined || model === undefined) {
    throw new Error(made.diagnostics.map(({ message }) => message).join("\n"));
  }
  const explained = explainDecision(policy, origins, question);
  const tables = indexPolicyTables(policy);
  const opened = createConversation(tables, question);
  if (!explained.ok || !opened.ok) throw new Error("the question names nobody");
  const proposed = await findLeastChange({ host, path: "/system.cap", options, policy, model }, explained.value);
  const call = { tool: question.tool, arguments: explained.value.arguments };
  const decision = decide(tables, opened.value, call);
  const gate = leastInGate(tables, { conversation: opened.value, call, decision });
  return { page: renderExplanation(explained.value, proposed), change: proposed.change, gate, decision, explained };
}

const write = (bytes: number) => `{"content":"${"x".repeat(bytes)}","path":"/a"}`;

test.each<[string, Parameters<typeof both>[0]]>([
  ["a call that runs without a prompt", { tool: "notes.list", session: "reader" }],
  ["a gate", { tool: "drafts.delete" }],
  ["a call that a line forbids", { tool: "notes.delete" }],
  ["a flow that a label forbids", { tool: "drafts.write", session: "reader", label: "secret", arguments: write(1) }],
  ["a call that exceeds a quota", { tool: "drafts.write", arguments: write(3000) }],
])(
  "`capc why` and /why give the same reason, the same changed decision, and the same report of the change: %s",
  async (_, asked) => {
    const { page, gate, change, decision, explained } = await both(asked);
    expect(explained.value.reason).toBe(decision.reason);
    const effects = change && { opens: change.opens.map(renderChange), narrows: [], isInTask: false };
    const told = change && effects && changeWords(change.answer, [], effects)[0];
    expect(page).toContain(gate[0]);
    expect(gate[0]).toBe(told ?? "nothing asks: there is no looser answer");
  },
);

test.each([
  ["beside the line that forbids a folder", "/locked/a.txt", "notes.write", "beside"],
  ["for a path behind the `else` of this line", "/open", "notes.write", "beside"],
  ["in place of a line without a condition", "/a", "drafts.write", "to session operator, where it goes before"],
])("`capc why` and /why propose the same line %s", async (_, path, tool, where) => {
  const { change, gate } = await both({ tool, arguments: JSON.stringify({ content: "x", path }) });
  const [line = ""] = change?.edits.map(({ replacement }) => replacement.trim()) ?? [];
  expect(line).toContain(`path under "${path}"`);
  expect(gate[1]).toContain(`add \`${line}\` ${where} `);
});

test("`capc why` and /why propose the same release, and the same line that limits it to the path of the call", async () => {
  const asked = { tool: "drafts.write", session: "reader", label: "secret", arguments: write(1) };
  const { change, gate, page } = await both(asked);
  const [limit, release] = change?.edits.map(({ replacement }) => replacement.trim()) ?? [];
  expect(limit).toBe('auto drafts.write where path under "/a" and size(path) <= 2 else forbidden');
  expect(release).toBe('declassify drafts.write from secret to public by stepUp for reader because "say why"');
  expect(gate.slice(1, 3)).toEqual([
    `  auto drafts.write (system.cap:17:29) becomes \`${limit}\``,
    `  add \`${release}\``,
  ]);
  const opened = `  reader drafts.write: refusedByPolicy, for data at secret → ${limit?.replace("drafts.write ", "")}, at least stepUp, by a release`;
  for (const lines of [page, gate])
    expect(lines).toEqual(
      expect.arrayContaining([
        opened,
        "what that narrows:",
        `  reader drafts.write: auto → ${limit?.replace("drafts.write ", "")}`,
        "if both lines stand in a task, they change only this task",
      ]),
    );
});
