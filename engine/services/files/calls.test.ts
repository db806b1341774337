import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Files } from "../../wire/generated/tools.ts";
import { answerCall } from "./calls.ts";
import { MAX_FILE_BYTES } from "./files.ts";
import { UNFINISHED } from "./path.ts";

let top = "";
let root = "";

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "capos-files-"));
  root = join(top, "granted");
  mkdirSync(join(root, "reports"), { recursive: true });
  writeFileSync(join(root, "todo.txt"), "buy milk\n");
  writeFileSync(join(top, "secret.txt"), "outside");
});

afterEach(() => rmSync(top, { recursive: true }));

async function call(method: keyof typeof Files.methods, args: object, stateBytes = 0): Promise<unknown> {
  const answer = await answerCall({ root, stateBytes }, Files.methods[method].ordinal, JSON.stringify(args));
  if (answer === undefined) return undefined;
  return answer.ok ? JSON.parse(answer.value) : answer.reason;
}

test("a file is read, written and deleted, and the directory lists what is there", async () => {
  expect(await call("read", { path: "todo.txt" })).toEqual({ content: "buy milk\n" });
  expect(await call("write", { path: "reports/a", content: "é" })).toEqual({ bytes: 2 });
  expect(await call("list", { path: "" })).toEqual({ entries: ["reports/", "todo.txt"] });
  expect(await call("list", { path: "./reports/" })).toEqual({ entries: ["a"] });
  expect(await call("delete", { path: "reports//a" })).toEqual({});
  expect(readdirSync(join(root, "reports"))).toEqual([]);
});

test("writing replaces the whole and leaves nothing beside it", async () => {
  expect(await call("write", { path: "todo.txt", content: "x" })).toEqual({ bytes: 1 });
  expect(readFileSync(join(root, "todo.txt"), "utf8")).toBe("x");
  expect(readdirSync(root).sort()).toEqual(["reports", "todo.txt"]);
});

const OUTSIDE = ["../secret.txt", "reports/../../secret.txt", "/etc/passwd", "..", "todo.txt\0.png"];

for (const path of OUTSIDE) {
  test(`nothing outside is reached: ${JSON.stringify(path)}`, async () => {
    for (const method of ["read", "list", "delete"] as const) {
      expect(await call(method, { path })).toMatch(/not accepted|may not hold/);
    }
    expect(await call("write", { path, content: "x" })).toMatch(/not accepted|may not hold/);
    expect(readFileSync(join(top, "secret.txt"), "utf8")).toBe("outside");
  });
}

test("links are not followed, neither as a file nor as a directory, and are not listed", async () => {
  symlinkSync(join(top, "secret.txt"), join(root, "link.txt"));
  symlinkSync(top, join(root, "up"));
  for (const path of ["link.txt", "up/secret.txt", "up"]) {
    expect(await call("read", { path })).toBe("links are not followed");
    expect(await call("write", { path, content: "x" })).toBe("links are not followed");
    expect(await call("delete", { path })).toBe("links are not followed");
  }
  expect(await call("list", { path: "up" })).toBe("links are not followed");
  expect(await call("list", { path: "" })).toEqual({ entries: ["reports/", "todo.txt"] });
});

test("sizes are bounded both ways", async () => {
  writeFileSync(join(root, "large"), "a".repeat(MAX_FILE_BYTES + 1));
  expect(await call("read", { path: "large" })).toMatch(/larger than/);
  expect(await call("write", { path: "b", content: "a".repeat(MAX_FILE_BYTES + 1) })).toMatch(/at most/);
  expect(await call("write", { path: "b", content: "a".repeat(MAX_FILE_BYTES) })).toEqual({ bytes: MAX_FILE_BYTES });
  expect(await call("read", { path: "b" })).toEqual({ content: "a".repeat(MAX_FILE_BYTES) });
});

test("the state of the service is bounded; replacing counts only the growth", async () => {
  expect(await call("write", { path: "b", content: "12345" }, 14)).toEqual({ bytes: 5 });
  expect(await call("write", { path: "c", content: "1" }, 14)).toMatch(/together/);
  expect(await call("write", { path: "b", content: "54321" }, 14)).toEqual({ bytes: 5 });
});

test("only UTF-8 text is read, byte order marks included", async () => {
  writeFileSync(join(root, "raw"), Buffer.from([0xff, 0xfe]));
  writeFileSync(join(root, "marked"), "\ufeffa");
  expect(await call("read", { path: "raw" })).toMatch(/UTF-8/);
  expect(await call("read", { path: "marked" })).toEqual({ content: "\ufeffa" });
});

test("directories are not files, and what is not there says so", async () => {
  expect(await call("read", { path: "reports" })).toMatch(/not a file/);
  expect(await call("delete", { path: "" })).toMatch(/not a file/);
  expect(await call("write", { path: "reports", content: "x" })).toMatch(/not a file/);
  expect(await call("write", { path: "todo.txt/x", content: "x" })).toMatch(/no such directory/);
  expect(await call("read", { path: "none" })).toMatch(/no such file/);
  expect(await call("list", { path: "none" })).toMatch(/no such directory/);
  expect(await call("read", { path: "a/".repeat(17) })).toMatch(/levels/);
  expect(await call("read", { path: "é".repeat(128) })).toMatch(/too long/);
});

test("files being written are neither listed nor named", async () => {
  writeFileSync(join(root, `${UNFINISHED}1`), "half");
  expect(await call("list", { path: "" })).toEqual({ entries: ["reports/", "todo.txt"] });
  expect(await call("read", { path: `${UNFINISHED}1` })).toMatch(/being written/);
});

test("arguments that are no JSON object are refused, and so is an unknown method", async () => {
  expect(await answerCall({ root, stateBytes: 0 }, 0, "[")).toMatchObject({ ok: false });
  expect(await answerCall({ root, stateBytes: 0 }, 9, "{}")).toBeUndefined();
});
