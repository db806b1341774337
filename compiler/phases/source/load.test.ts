import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compile } from "../../compile.ts";
import { compilePage, compilePolicy, expectRefused, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { createDiskHost } from "./disk.ts";
import { createMemoryHost } from "./memory.ts";

const CAPC = fileURLToPath(new URL("../../cli/capc.mjs", import.meta.url));

const USE = renderFactsPage({ top: 'use «"./part.cap"»' });

expectRefused("file-unreadable", {
  "a missing page": USE,
  "missing replies": renderFactsPage({ backends: 'backend canned { stub «"lost.json"» }' }),
});

test.each([
  ["keys/carol.pub", "make it in the folder of the page with `mkdir -p keys && ssh-keygen -t ed25519 -f keys/carol`"],
  ["carol.pub", "make it in the folder of the page with `ssh-keygen -t ed25519 -f carol`"],
  ["keys/carol", "make it with `ssh-keygen -t ed25519`, and name the file that ends in .pub"],
  ["-f.pub", "make it with `ssh-keygen -t ed25519`, and name the file that ends in .pub"],
  ["a key.pub", "make it with `ssh-keygen -t ed25519`, and name the file that ends in .pub"],
])("the message about a missing key explains how to create the key: %s", async (path, help) => {
  const sessions = "session operator { kind operator principals carol models { auto canned } permit { stepUp * } }";
  const { diagnostics } = await compilePage(renderFactsPage({ top: `principal carol { ssh "${path}" }`, sessions }));
  const message = `\`${path}\` cannot be read: there is no such file`;
  expect(diagnostics).toMatchObject([{ code: "file-unreadable", message, help }]);
});

expectRefused("outside-package", {
  "an absolute path": renderFactsPage({ top: 'use «"/etc/passwd"»' }),
  "a path with a backslash": renderFactsPage({ top: 'use «"a\\\\b.cap"»' }),
  "an empty path": renderFactsPage({ top: 'use «""»' }),
  "git's own folder": renderFactsPage({ top: 'use «"./.git/config"»' }),
  "git's own folder below another folder": renderFactsPage({ top: 'use «"./part/.git/config"»' }),
});

expectRefused("unknown-module", {
  "a misspelt module": renderFactsPage({ top: "use «std.profils»" }),
  "another library": renderFactsPage({ top: "use «stdlib.tools»" }),
});

test("a path that leaves the folder is refused before any file is accessed", async () => {
  const files = { "/package/system.cap": renderFactsPage({ top: 'use "./a/../../part.cap"' }), "/part.cap": "" };
  const { diagnostics } = await compile(createMemoryHost(files), "/package/system.cap");
  expect(diagnostics.map(({ code }) => code)).toContain("outside-package");
});

test("pages that use each other are reported as a cycle", async () => {
  const files = {
    "/system.cap": renderFactsPage({ top: 'use "./a.cap"' }),
    "/a.cap": 'use "b.cap"',
    "/b.cap": 'use "./a.cap"',
  };
  const { diagnostics } = await compile(createMemoryHost(files), "/system.cap");
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ["import-cycle", "the pages use each other in a cycle: a.cap → b.cap → a.cap"],
  ]);
});

test("a page in a folder names files relative to itself, and is loaded once", async () => {
  const part = 'backend canned { stub "replies.json" }';
  const files = { "/parts/backend.cap": part, "/parts/more.cap": 'use "backend.cap"', "/parts/replies.json": "[1]" };
  const text = renderFactsPage({ top: 'use "parts/more.cap"  use "./parts/../parts/backend.cap"', backends: "" });
  const policy = await compilePolicy(text, files);
  expect(policy.backends).toMatchObject([{ name: "canned", replies: { path: "parts/replies.json" } }]);
});

test("a mistake in a page that the root page uses is reported at its position in that page", async () => {
  const files = {
    "/system.cap": renderFactsPage({ top: 'use "./a.cap"' }),
    "/a.cap": "\n  category vault : destructiv",
  };
  const { diagnostics } = await compile(createMemoryHost(files), "/system.cap");
  expect(diagnostics.map(({ span }) => [span.source.path, span.source.position(span.start).line])).toEqual([
    ["a.cap", 2],
  ]);
});

test("a page in a folder `std` of the package belongs to the package, and its assertions are proved", async () => {
  const files = {
    "/system.cap": renderFactsPage({ top: 'use "./std/assertions.cap"' }),
    "/replies.json": "[]",
    "/std/assertions.cap": "assert never flow public to canned",
  };
  const { diagnostics } = await compile(createMemoryHost(files), "/system.cap");
  expect(diagnostics).toMatchObject([{ code: "flow-leak", span: { source: { path: "./std/assertions.cap" } } }]);
});

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "capc-load-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function errorsOf(path: string): Promise<string[]> {
  const { diagnostics } = await compile(createDiskHost("2026-01-01"), path);
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

test("a link to a file inside of the package is followed, and a link to the outside is refused", () =>
  inFolder(async (folder) => {
    await mkdir(join(folder, "package"));
    await writeFile(join(folder, "outside.cap"), "category vault : destructive");
    await writeFile(join(folder, "package/inside.cap"), "category vault : destructive");
    await symlink("inside.cap", join(folder, "package/link.cap"));
    await symlink("../outside.cap", join(folder, "package/escape.cap"));
    await mkdir(join(folder, "package/.git"));
    await writeFile(join(folder, "package/.git/config"), "token = hunter2");
    await symlink(".git/config", join(folder, "package/key.cap"));
    await writeFile(
      join(folder, "package/good.cap"),
      renderFactsPage({ top: 'use "./link.cap"', backends: "backend canned { stub }" }),
    );
    await writeFile(
      join(folder, "package/bad.cap"),
      renderFactsPage({ top: 'use "./escape.cap"', backends: "backend canned { stub }" }),
    );
    await writeFile(join(folder, "package/keys.cap"), renderFactsPage({ top: 'use "./key.cap"  use "./.git/config"' }));
    expect(await errorsOf(join(folder, "package/good.cap"))).toEqual([]);
    const keys = await errorsOf(join(folder, "package/keys.cap"));
    expect(keys.filter((error) => error.startsWith("outside-package"))).toEqual([
      "outside-package: `./key.cap` is outside the folder of the root page",
      "outside-package: `./.git/config` belongs to git, not to the package",
    ]);
    expect(keys.join()).not.toMatch(/hunter2|token/);
    expect(await errorsOf(join(folder, "package/bad.cap"))).toEqual([
      "outside-package: `./escape.cap` is outside the folder of the root page",
    ]);
  }));

test("each unreadable file causes one clear message", () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "large.cap"), "[".repeat(10 * 1024 * 1024));
    await writeFile(join(folder, "latin.cap"), new Uint8Array([0xe9, 0x20]));
    expect(await errorsOf(join(folder, "none.cap"))).toEqual([
      `file-unreadable: \`${join(folder, "none.cap")}\` cannot be read: there is no such file`,
    ]);
    expect(await errorsOf(folder)).toHaveLength(1);
    expect((await errorsOf(join(folder, "large.cap")))[0]).toMatch(/10485760 bytes, at most 1048576/);
    expect((await errorsOf(join(folder, "latin.cap")))[0]).toMatch(/^not-utf8/);
  }));

test.each([
  ["in single quotes", "'lost.json'", "unknown-character"],
  ["without its closing quote", '"lost.json', "unclosed-text"],
  ["with an unknown escape", '"lost\\q.json"', "unknown-escape"],
])("a path %s causes one syntax error, and no finding about a missing file", async (_, path, code) => {
  const { diagnostics } = await compilePage(renderFactsPage({ backends: `backend canned { stub ${path}\n}` }));
  expect(diagnostics.map((found) => found.code)).toEqual([code]);
});

test.each([
  ["of a schema", 'use capnp "lost\\q.capnp" as lost'],
  ["of a list of tools", 'use mcp "lost\\q.json" as lost'],
  ["of a page", 'use "lost\\q.cap"'],
  ["outside of the folder", 'use "../lost\\q.cap"'],
])(
  "a malformed path %s causes no finding about a missing file, and none about names that the file would declare",
  async (_, use) => {
    const page = renderFactsPage({ top: use, services: "service lost : lost.Lost {}" });
    expect((await compilePage(page)).diagnostics.map(({ code }) => code)).toEqual(["unknown-escape"]);
  },
);

test("a file that a page names twice is read once", async () => {
  const backends = 'backend one { stub "replies.json" }  backend canned { stub "./replies.json" }';
  const host = createMemoryHost({ "/page/system.cap": renderFactsPage({ backends }), "/page/replies.json": "[]" });
  const read: string[] = [];
  await compile(
    {
      ...host,
      readFile: (path, limit) => {
        read.push(path);
        return host.readFile(path, limit);
      },
    },
    "/page/system.cap",
  );
  expect(read.filter((path) => path.endsWith("replies.json"))).toHaveLength(1);
});

test("a used page that is a named pipe is refused, and capc does not wait for data from the pipe", () =>
  inFolder(async (folder) => {
    execFileSync("mkfifo", [join(folder, "pipe.cap")]);
    await writeFile(
      join(folder, "good.cap"),
      renderFactsPage({ top: 'use "./pipe.cap"', backends: "backend canned { stub }" }),
    );
    // Load the page in a separate process. If opening the pipe waited for a writer, this would block the process, and a
    // timeout in the same process would never fire.
    const { status, stdout, stderr } = spawnSync(process.execPath, [CAPC, "check", "good.cap"], {
      cwd: folder,
      encoding: "utf8",
      timeout: 60_000,
      killSignal: "SIGKILL",
    });
    expect(stdout + stderr).toContain("error[file-unreadable]");
    expect(status).toBe(1);
  }));

test("a hundred thousand invalid characters are all reported, and a page that is nested too deeply has only that error", async () => {
  const broken = await compile(createMemoryHost({ "/system.cap": "@ ;\n".repeat(100_000) }), "/system.cap");
  expect(broken.diagnostics).toHaveLength(200_000);
  const deep = await compile(createMemoryHost({ "/system.cap": "[".repeat(1_000_000) }), "/system.cap");
  expect(deep.diagnostics.map(({ code }) => code)).toEqual(["nested-too-deep"]);
});

test("an empty page is reported as a page without a system", async () => {
  const { diagnostics } = await compile(createMemoryHost({ "/system.cap": "" }), "/system.cap");
  expect(diagnostics.map(({ code }) => code)).toEqual(["no-system"]);
});
