import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildQemuArguments } from "./qemu.ts";
import { logRecordsIn, pageAt } from "./served-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-web-"));
beforeAll(() => {
  writeFileSync(join(folder, "status.txt"), "all is well\n");
  writeFileSync(join(folder, "door.txt"), "shut\n");
  writeFileSync(join(folder, "door.txt.authorization"), "Bearer key\n");
  writeFileSync(join(folder, "old.location"), "http://169.254.169.254/\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("files of the folder are served as web pages, redirects are sent, and other paths are not found", () => {
  expect(pageAt(folder, "/status.txt?x")).toMatchObject({ status: 200, headers: { "content-type": "text/plain" } });
  expect(pageAt(folder, "/old")).toMatchObject({ status: 302, headers: { location: "http://169.254.169.254/" } });
  for (const path of ["/", "/none", "/../status.txt", "/\0", ""]) expect(pageAt(folder, path).status, path).toBe(404);
});

test("a request with a query can have a file of its own, and a path that ends with a slash gets the index.html of its folder", () => {
  writeFileSync(join(folder, "search.json"), "[]");
  writeFileSync(join(folder, "search.json?q=a%2Fb&n=2"), "[1]");
  writeFileSync(join(folder, "index.html"), "<p>hello</p>");
  const bodies = ["/search.json", "/search.json?q=z", "/search.json?q=a/b&n=2", "/?x"].map((path) =>
    Buffer.from(pageAt(folder, path).body).toString(),
  );
  expect(bodies).toEqual(["[]", "[]", "[1]", "<p>hello</p>"]);
  expect(pageAt(folder, "/search.json?q=a/b&n=2").headers).toEqual({ "content-type": "application/json" });
  expect(pageAt(folder, "/search.json?q=/../../door.txt").body.toString()).toBe("[]");
  writeFileSync(join(folder, "tea shops?q=two words"), "decoded");
  writeFileSync(join(folder, "tea%20shops"), "as requested");
  expect(pageAt(folder, "/tea%20shops?q=two%20words").body.toString()).toBe("decoded");
  expect(pageAt(folder, "/tea%20shops?q=other").body.toString()).toBe("as requested");
  expect(pageAt(folder, "/tea%20shops?q=%").body.toString()).toBe("as requested");
  for (const path of ["/%2e%2e/status.txt", "/x/%2e%2e%2fstatus.txt", "/%00", "/door.txt%2Eauthorization"])
    expect(pageAt(folder, path).status, path).toBe(404);
  rmSync(join(folder, "index.html"));
});

test("a file NAME.status sets the HTTP status of the file NAME, with or without a body, and an invalid status is an error", () => {
  writeFileSync(join(folder, "busy.txt"), "later\n");
  writeFileSync(join(folder, "busy.txt.status"), "503\n");
  writeFileSync(join(folder, "gone.status"), "410");
  writeFileSync(join(folder, "moved.location"), "/new");
  writeFileSync(join(folder, "moved.status"), "301");
  writeFileSync(join(folder, "wrong.status"), "20");
  expect(pageAt(folder, "/busy.txt")).toMatchObject({ status: 503, body: Buffer.from("later\n") });
  expect(pageAt(folder, "/gone")).toMatchObject({ status: 410, body: "" });
  expect(pageAt(folder, "/moved")).toEqual({ status: 301, headers: { location: "/new" }, body: "" });
  expect(pageAt(folder, "/wrong")).toMatchObject({ status: 500, body: expect.stringContaining("no status code") });
});

test("a file that is too large is an error and not served in part, and folders and pipes are not served", () => {
  truncateSync(openAt("large"), 4 * 1024 * 1024);
  expect(pageAt(folder, "/large")).toMatchObject({ status: 200, body: expect.toSatisfy(hasLength(4 * 1024 * 1024)) });
  truncateSync(join(folder, "large"), 4 * 1024 * 1024 + 1);
  expect(pageAt(folder, "/large")).toMatchObject({ status: 500, body: expect.stringContaining("larger than 4194304") });
  mkdirSync(join(folder, "within"));
  expect(spawnSync("mkfifo", [join(folder, "pipe")]).status).toBe(0);
  expect(["/within", "/pipe"].map((path) => pageAt(folder, path).status)).toEqual([404, 404]);
});

function openAt(name: string): string {
  writeFileSync(join(folder, name), "");
  return join(folder, name);
}

const hasLength = (length: number) => (body: { readonly length: number }) => body.length === length;

test("a file that requires a credential is served only for requests with that credential", () => {
  const statuses = [undefined, "", "Bearer kez", "Bearer key"].map((said) => pageAt(folder, "/door.txt", said).status);
  expect(statuses).toEqual([401, 401, 401, 200]);
  for (const path of ["/door.txt.authorization", "/door.txt.authorization?x", "/door.txt.AUTHORIZATION"]) {
    expect(pageAt(folder, path, "Bearer key").status, path).toBe(404);
  }
});

test("the program answers one request from standard input on standard output", async () => {
  const program = fileURLToPath(new URL("web.ts", import.meta.url));
  const answering = spawn(process.execPath, [program, folder], { stdio: ["pipe", "pipe", "inherit"] });
  answering.stdin.write("POST /status.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
  const said = await text(answering.stdout);
  expect(said).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(said).toMatch(/\r\n\r\nd\r\n3 bytes came\n/);
});

test("OpenTelemetry log records are stored one a line if a file is given, and other POST bodies are not stored", async () => {
  const program = fileURLToPath(new URL("web.ts", import.meta.url));
  const collected = join(folder, "otlp.log");
  const posted = async (path: string, body: string) => {
    const answering = spawn(process.execPath, [program, folder, collected], { stdio: ["pipe", "pipe", "inherit"] });
    answering.stdin.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    return text(answering.stdout);
  };
  const body = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"a":1},{"b":"x\\n"}]}]}]}';
  for (const odd of ["", "{", "[]", "{}", '{"resourceLogs":1}', '{"resourceLogs":[{"scopeLogs":[1]}]}'])
    expect(logRecordsIn(odd)).toEqual([]);
  expect(await posted("/none", body)).toMatch(/^HTTP\/1\.1 404/);
  expect(await posted("/status.txt", "abc")).toMatch(/^HTTP\/1\.1 200/);
  expect(existsSync(collected)).toBe(false);
  expect(await posted("/status.txt", body)).toMatch(/^HTTP\/1\.1 200/);
  expect(readFileSync(collected, "utf8")).toBe('{"a":1}\n{"b":"x\\n"}\n');
});

test("a machine has a network card only if its page has a network, and no port is forwarded into it", () => {
  const guest = { image: "a.iso", format: "raw", firmware: { kind: "bios" }, device: "virtio" } as const;
  const words = (more: object) =>
    buildQemuArguments(
      { ...guest, disk: undefined, memoryMiB: 512, interactive: false, ...more },
      { name: "tcg", because: "" },
    ).join(" ");
  expect(words({})).toContain("-nic none");
  const networked = words({ hasNetwork: true });
  expect(networked).toContain("-netdev user,id=net,ipv6=off -device virtio-net-pci,netdev=net,romfile=");
  expect(networked).not.toMatch(/-nic|hostfwd|guestfwd/);
  expect(words({ hasNetwork: true, web: "/a,b" })).toContain("guestfwd=tcp:10.0.2.80:80-cmd:");
});
