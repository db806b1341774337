import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { reportPage } from "../../queries/report/index.ts";
import { exampleSubject } from "./testing/subjects.ts";

/** Returns the headings and table rows that a reader of the report sees, with `|` between cells, and a digest of the report. */
function outlineOf(html: string): string {
  const body = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  const parts = body.matchAll(/<h([1-4])[^>]*>([\s\S]*?)<\/h\1>|<tr[^>]*>([\s\S]*?)<\/tr>/g);
  const lines = [...parts].map(([, level, heading = "", line = ""]) => {
    const cells = line
      .split(/(?=<t[hd][ >])/)
      .filter((cell) => cell.startsWith("<t"))
      .map(textOf);
    return level === undefined ? `  ${cells.join(" | ")}` : `${"#".repeat(Number(level))} ${textOf(heading)}`;
  });
  return `${[`sha256 ${createHash("sha256").update(html).digest("hex")}`, ...lines].join("\n")}\n`;
}

function textOf(markup: string): string {
  const text = markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#x3D;/g, "=")
    .replace(/&#x27;/g, "'")
    .replace(/&#x60;/g, "`")
    .replace(/&amp;/g, "&")
    .trim();
}

// To accept a new snapshot, read it and run `vitest run compiler/cli/report -u`.
test("the report of first-agent equals its accepted snapshot", async () => {
  const outline = outlineOf(reportPage(await exampleSubject("first-agent")));
  await expect(outline).toMatchFileSnapshot("./first-agent.txt");
});
