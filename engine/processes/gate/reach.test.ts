// Tests that a gate shows the server of a call in its question, and asks nobody about a call that the page's grant does not cover.
import { expect, test } from "vitest";
import { tool } from "../../lib/policy/testing/sample.ts";
import { HttpEndpoint } from "../../lib/wire/generated/tools.ts";
import { CALL, callIn, direct, staged } from "./testing/calls.ts";

const SERVER = { scheme: "https", host: "status.example.net", port: 8443, path: "/api" };
const sending = { tools: [tool("notes.write", { interfaceId: HttpEndpoint.id, networked: true, servers: [SERVER] })] };
const at = (path: string) => ({ ...CALL, arguments: JSON.stringify({ path }) });

for (const mode of ["consent", "stepUp"] as const) {
  test(`${mode}: the question names the server`, async () => {
    const stage = staged(mode, { tables: sending, said: ["granted"] });
    await direct(stage, at("/api/now"));
    expect(stage.questions.map(({ sentence }) => sentence)).toEqual([
      'notes.write: path "/api/now"; sent to https://status.example.net:8443',
    ]);
    expect(stage.sent).toEqual(['{"path":"/api/now"}']);
  });

  test(`${mode}: a call outside of the grant is refused and recorded, without a question and without a charge`, async () => {
    const stage = staged(mode, { tables: sending, said: ["granted"] });
    const reason = "outside the page's grant, which covers https://status.example.net:8443/api";
    expect(await direct(stage, at("/other"))).toMatchObject({ outcome: "refusedByPolicy", error: reason });
    expect([stage.questions, stage.sent]).toEqual([[], []]);
    expect(stage.steps.filter((step) => step.startsWith("reserve"))).toEqual([]);
    expect(callIn(stage.entries.at(-1))).toMatchObject({ outcome: "refusedByPolicy", sent: false });
  });
}

test("the gate also refuses a call outside of the grant that needs no question", async () => {
  const stage = staged("auto", { tables: sending });
  expect(await direct(stage, at("/other"))).toMatchObject({ outcome: "refusedByPolicy" });
  expect(stage.sent).toEqual([]);
});
