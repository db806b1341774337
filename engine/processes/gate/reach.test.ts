// Tests that a gate shows the server of a call in its question, and asks nobody about a call that the page's grant does not cover.
import fc from "fast-check";
import { expect, test } from "vitest";
import { tool } from "../../lib/policy/testing/sample.ts";
import { resolveServerTarget } from "../../lib/reach/place.ts";
import { Fetch, HttpEndpoint } from "../../lib/wire/generated/tools.ts";
import { CALL, callIn, direct, staged } from "./testing/calls.ts";

const SERVER = { scheme: "https", host: "status.example.net", port: 8443, path: "/api" };
const reaching = { networked: true, servers: [SERVER], methodName: "get" };
const sending = { tools: [tool("notes.write", { ...reaching, interfaceId: HttpEndpoint.id })] };
const at = (path: string) => ({ ...CALL, arguments: JSON.stringify({ path }) });

for (const mode of ["consent", "stepUp"] as const) {
  test(`${mode}: the question begins with the method and the URL of the request`, async () => {
    const stage = staged(mode, { tables: sending, said: ["granted"] });
    await direct(stage, at("/api/now?q=tea%20shops"));
    expect(stage.questions.map(({ sentence }) => sentence)).toEqual([
      "sends GET https://status.example.net:8443/api/now?q=tea%20shops",
    ]);
    expect(stage.sent).toEqual(['{"path":"/api/now?q=tea%20shops"}']);
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

/** Returns the sentence of the question about a call with these arguments; `undefined` if no question was asked. */
async function ask(changes: Parameters<typeof tool>[1], args: object): Promise<string | undefined> {
  const params = Object.keys(args).map((name) => {
    return { name, type: { which: "text", text: { maxBytes: 100_000 } }, required: true } as const;
  });
  const tools = [tool("notes.write", { ...reaching, params, ...changes })];
  const stage = staged("consent", { said: ["granted"], tables: { tools } });
  await direct(stage, { ...CALL, arguments: JSON.stringify(args) });
  return stage.questions[0]?.sentence;
}

test("the question about a POST names what is sent besides the URL; for a long body it names only the size", async () => {
  const post = { interfaceId: HttpEndpoint.id, methodName: "post" };
  const args = { path: "/api", contentType: "text/plain", body: "x".repeat(100) };
  expect(await ask(post, args)).toBe(
    'sends POST https://status.example.net:8443/api with body of 100 bytes, contentType "text/plain"',
  );
});

test("the question about a URL of Fetch shows the URL that is requested, and not another spelling of it", async () => {
  const fetching = { interfaceId: Fetch.id, servers: [{ scheme: "https", host: "*", port: 443, path: "/" }] };
  expect(await ask(fetching, { url: "HTTPS://Files.Example:443/x/../a?q=1#top" })).toBe(
    "sends GET https://files.example/a?q=1",
  );
});

test("a URL in a question is cut after 1024 bytes, but the question still contains all arguments", async () => {
  const path = `/api/${"a".repeat(2000)}`;
  const sentence = await ask({ interfaceId: HttpEndpoint.id }, { path });
  expect(sentence).toMatch(/^sends GET https:\/\/status\.example\.net:8443\/api\/a{900,1000} \[cut: \d+ more bytes\]$/);
});

test("property: the URL of a question has only printable ASCII without blanks, and is the URL that egress would request", async () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 4 }),
    fc.constantFrom("/", "?", "%20", "..", "—", "\n"),
  );
  const path = fc.array(piece, { maxLength: 12 }).map((pieces) => `/api/${pieces.join("")}`);
  await fc.assert(
    fc.asyncProperty(path, async (text) => {
      const sentence = await ask({ interfaceId: HttpEndpoint.id }, { path: text });
      const target = resolveServerTarget({ places: [SERVER] }, text);
      expect(sentence).toBe(target.ok ? `sends GET https://status.example.net:8443${text}` : undefined);
      if (sentence !== undefined) expect(sentence).toMatch(/^sends GET [!-~]+$/);
    }),
  );
});

test("the gate refuses a call outside of the grant even if the call needs no question", async () => {
  const stage = staged("auto", { tables: sending });
  expect(await direct(stage, at("/other"))).toMatchObject({ outcome: "refusedByPolicy" });
  expect(stage.sent).toEqual([]);
});
