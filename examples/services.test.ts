// Programs of the examples are what operators copy: they keep what they were told, whatever comes at the same time.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "capos-service-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

type Method = (args: object, context: { readonly directory: string }) => Promise<Readonly<Record<string, unknown>>>;

/** Calls a method of a program as the runtime does. */
async function program(path: string): Promise<(method: string, args: object) => ReturnType<Method>> {
  const module: { readonly default: Readonly<Record<string, Method>> } = await import(
    new URL(path, import.meta.url).href
  );
  return async (method, args) => {
    const called = module.default[method];
    if (called === undefined) throw new Error(`no method ${method}`);
    return called(args, { directory });
  };
}

const kept = (file: string) => JSON.parse(readFileSync(join(directory, file), "utf8"));
const BOOKS = "./capnp-tools/services/books.js";
const GITHUB = "./mcp-import/services/github.js";
const PAY = { account: "travel", payee: { name: "Ada", iban: "DE1" }, cents: 100 };
const LAB = { owner: "lab", repo: "tools" };

test("the id of a refunded payment is not used again", async () => {
  const call = await program(BOOKS);
  const first = await call("pay", PAY);
  const second = await call("pay", PAY);
  await call("refund", { id: first["id"] });
  const third = await call("pay", PAY);
  expect(new Set([first, second, third].map(({ id }) => id)).size).toBe(3);
  await call("refund", { id: third["id"] });
  expect((await call("history", { account: "travel" }))["entries"]).toMatchObject([{ id: second["id"] }]);
  expect(await call("balance", { account: "travel" })).toEqual({ cents: 50_000 - 100 });
});

test("makes all concurrent payments, and charges each once", async () => {
  const call = await program(BOOKS);
  const paid = await Promise.all(Array.from({ length: 12 }, () => call("pay", PAY)));
  expect(new Set(paid.map(({ id }) => id)).size).toBe(12);
  expect(kept("book.json").left.travel).toBe(50_000 - 12 * 100);
});

test("keeps all concurrent issues and comments, and a failed one blocks no other", async () => {
  const call = await program(GITHUB);
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, at) => call("create_issue", { ...LAB, title: `number ${at}` })),
  );
  expect(new Set(made.map(({ text }) => text)).size).toBe(6);
  const comment = (issue: number) => call("add_issue_comment", { ...LAB, issue_number: issue, body: "seen" });
  const said = await Promise.allSettled([comment(1), comment(99), comment(1)]);
  expect(said.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await call("get_issue", { ...LAB, issue_number: 1 })).toMatchObject({ comments: 2 });
  expect(kept("mirror.json").issues).toHaveLength(8);
});

test("replaces the file by a new one instead of overwriting it", async () => {
  const call = await program(GITHUB);
  await call("create_issue", { ...LAB, title: "one" });
  const before = readFileSync(join(directory, "mirror.json"), "utf8");
  await expect(call("add_issue_comment", { ...LAB, issue_number: 99, body: "x" })).rejects.toThrow("no issue 99");
  expect(readFileSync(join(directory, "mirror.json"), "utf8")).toBe(before);
  expect(existsSync(join(directory, "mirror.next"))).toBe(false);
});

test.each([
  ["own-tool/services/dice", "tour/services/dice"],
  ["mcp-server/services/units.mcp.js", "tour/services/units.mcp.js"],
  ["mcp-server/units.tools.json", "tour/measures.tools.json"],
])("%s is identical in the tour", (one, other) => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url));
  expect(read(one).equals(read(other))).toBe(true);
});
