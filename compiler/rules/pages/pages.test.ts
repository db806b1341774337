import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isError } from "../../../lang/diagnostics/index.ts";
import { examplesIn, findingsOf, foldersIn, saysWhatIsWritten } from "../../dev/fixtures/examples.ts";
import { MOST_ARGUMENTS } from "../../phases/fit/sizes.ts";

const CHECKOUT = new URL("../../../", import.meta.url);
const PAGES = new URL("./", import.meta.url);
const ROOMS = [PAGES, new URL("../laws/", PAGES), new URL("../advice/", PAGES), new URL("../verdicts/", PAGES)];

const folders = foldersIn(PAGES);
const good = examplesIn(PAGES, "good");
const bad = examplesIn(PAGES, "bad");

interface Defined {
  readonly code: string;
  readonly file: string;
}

/** Returns the code of each diagnostic of the compiler, and the file that defines it. */
async function everyCode(): Promise<Defined[]> {
  const files = globSync("{lang,compiler,targets}/**/codes.ts", { cwd: CHECKOUT.pathname }).sort();
  const found = await Promise.all(
    files.map(async (file) => {
      const defined: Record<string, unknown> = await import(new URL(file, CHECKOUT).pathname);
      return Object.values(defined).flatMap((value) =>
        typeof value === "object" && value !== null && "code" in value && typeof value.code === "string"
          ? [{ code: value.code, file }]
          : [],
      );
    }),
  );
  return found.flat();
}

function isExplained({ code, file }: Defined): boolean {
  const folder = file.replace(/codes\.ts$/, "");
  return folder.includes("/rules/") || ROOMS.some((room) => existsSync(new URL(`${code}/README.md`, room)));
}

test("every code has a README, in the folder of its rule or in compiler/rules/pages", async () => {
  const codes = await everyCode();
  expect(codes.length).toBeGreaterThan(60);
  expect(codes.filter((defined) => !isExplained(defined))).toEqual([]);
});

test("a code is a kebab-case name", async () => {
  expect((await everyCode()).filter(({ code }) => !/^[a-z]+(-[a-z0-9]+)*$/.test(code))).toEqual([]);
});

test("every folder of compiler/rules/pages has the name of a code that can be reported", async () => {
  const codes = new Set((await everyCode()).map(({ code }) => code));
  expect(folders.filter((folder) => !codes.has(folder))).toEqual([]);
});

test("diagnostics are defined only in files that this test reads", () => {
  const sources = globSync("{lang,compiler,targets}/**/*.ts", { cwd: CHECKOUT.pathname }).filter(
    (file) => !/(codes|\.test)\.ts$/.test(file),
  );
  const elsewhere = sources.filter((file) =>
    / = defineDiagnostic[<(]/.test(readFileSync(new URL(file, CHECKOUT), "utf8")),
  );
  expect(elsewhere).toEqual([]);
});

test.each(ROOMS.map((room) => [room.pathname.split("/compiler/")[1] ?? "", room] as const))(
  "every folder of %s has a README, a good and a bad example",
  (_, room) => {
    const [goods, bads] = (["good", "bad"] as const).map((verdict) => examplesIn(room, verdict));
    for (const folder of foldersIn(room)) {
      const words = readFileSync(new URL(`${folder}/README.md`, room), "utf8");
      expect(words, folder).toMatch(/^# .+\n\n[\s\S]{40,}/);
      expect(
        goods?.some((example) => example.folder === folder),
        `${folder} without good.cap`,
      ).toBe(true);
      expect(
        bads?.some((example) => example.folder === folder),
        `${folder} without bad.cap`,
      ).toBe(true);
    }
  },
);

test.each(good.map((example) => [example.folder, example] as const))(
  "%s: the good page is accepted",
  async (_, one) => {
    expect((await findingsOf(one)).filter(isError)).toEqual([]);
  },
);

test.each(bad.map((example) => [`${example.folder}/${example.name}`, example] as const))(
  "%s causes its finding, and no other error",
  async (_, example) => {
    const { folder } = example;
    const errors = (await findingsOf(example)).filter(isError);
    const others = errors.filter(({ code }) => code !== folder).map(({ code }) => code);
    // The example for `too-many-syntax-errors` also causes a thousand findings with the code `syntax`.
    expect(new Set(others)).toEqual(new Set(folder === "too-many-syntax-errors" ? ["syntax"] : []));
    const found = await findingsOf(example, [folder]);
    expect(found.length).toBeGreaterThan(0);
    await saysWhatIsWritten(example, found);
  },
);

test("the README of image-too-large states how many words of a command line init accepts", () => {
  const words = readFileSync(new URL("./image-too-large/README.md", import.meta.url), "utf8");
  expect(words).toContain(`| the words of the command line that starts a process | init | ${MOST_ARGUMENTS} |`);
});
