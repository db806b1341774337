import { expect, test } from "vitest";
import type { Label } from "../../../engine/lib/wire/generated/policy.ts";
import type { Policy } from "../../../targets/contract/policy.ts";
import { compilePage, renderFactsPage } from "../../dev/fixtures/facts.ts";
import type { WitnessCall, WitnessConversation, WitnessStep } from "../../phases/prove/index.ts";
import { renderScript } from "./script.ts";

async function policyOf(parts: Parameters<typeof renderFactsPage>[0] = {}): Promise<Policy> {
  const { policy, diagnostics } = await compilePage(renderFactsPage(parts));
  if (policy === undefined) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return policy;
}

const PUBLIC: Label = { confidentiality: 0, integrity: 1, compartments: 0n };
const call = (changes: Partial<WitnessCall> = {}): WitnessCall => ({
  kind: "call",
  tool: "notes.read",
  arguments: '{"path":"a"}',
  gate: "auto",
  rule: 0,
  label: PUBLIC,
  ...changes,
});
const played = (session: string, ...steps: readonly WitnessStep[]): WitnessConversation => ({
  session,
  task: "",
  steps,
});
const only = (...steps: readonly WitnessStep[]) => ({ conversations: [played("operator", ...steps)] });

test.each<[string, WitnessStep, string]>([
  ["an ingress message", { kind: "ingress", name: "desk", label: PUBLIC }, "the image has no ingress yet"],
  ["a worker", { kind: "worker", worker: "digest", steps: [], label: PUBLIC }, "the image has no workers yet"],
  [
    "a backend behind a gate",
    { kind: "infer", backend: "canned", gate: "stepUp", label: PUBLIC },
    "canned is behind a gate",
  ],
  [
    "a label below the one that the image assigns",
    call({ returning: { ...PUBLIC, integrity: 2 } }),
    "notes.read returns public/system there, and the image takes all that it returns as public/untrusted",
  ],
])("%s cannot be replayed, and the reason is returned", async (_, step, words) => {
  const scripted = renderScript(await policyOf(), "assert something", only(step));
  expect(scripted).toEqual({ ok: false, reason: expect.stringContaining(words) });
});

test("without a data disk, a script replays only automatic reads", async () => {
  const { storage: _, ...policy } = await policyOf();
  const reading = renderScript(policy, "assert something", only(call()));
  expect(reading).toMatchObject({ ok: true, value: [expect.stringContaining("@ nodisk\n")] });
  const asking = renderScript(policy, "assert something", only(call({ gate: "consent" })));
  expect(asking).toEqual({ ok: false, reason: expect.stringContaining("no data disk") });
});

test("a script switches sessions only between conversations, and needs a second start of the machine to return to a session", async () => {
  const policy = await policyOf({
    sessions: `session operator { kind operator  models { auto canned }  permit { auto readOnly } }
               session visitor { kind guest  models { auto canned }  permit { auto readOnly } }`,
  });
  const conversations = ["operator", "visitor", "operator"].map((session) => played(session, call()));
  const scripted = renderScript(policy, "assert something", { conversations });
  const boots = scripted.ok ? scripted.value : [];
  expect(boots.map((text) => [...text.matchAll(/^> (\/session .*)$/gm)].map(([, line]) => line))).toEqual([
    ["/session visitor"],
    [],
  ]);
  expect(boots[1]).toContain("# start 2 of 2, each over the same --disk FILE\n");
});

test("a script types a repeated call each time, and explains it only once", async () => {
  const scripted = renderScript(await policyOf(), "assert something", only(call({ times: 3, gate: "consent" })));
  const [text = ""] = scripted.ok ? scripted.value : [];
  expect(text.match(/^> \/tool notes\.read /gm)).toHaveLength(3);
  expect(text.match(/^\? allow$/gm)).toHaveLength(3);
  expect(text.match(/^> \/why$/gm)).toHaveLength(1);
});
