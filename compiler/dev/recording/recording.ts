// Plays a session of examples/first-agent and renders it as text. The gate, broker, audit and services of its image run
// in this process, and the stub of its page gives the model's answers. Each output of the console is one line. The
// console itself is a Rust program and does not run here.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeSection } from "../../../engine/image/init/jail-table.ts";
import type { Question } from "../../../engine/lib/wire/generated/wire.ts";
import { wrap } from "../../cli/wrapping.ts";
import { PUBLIC_KEY } from "../golden/golden.ts";
import { compileExample } from "../in-process/example.ts";
import { rehearse } from "../in-process/rehearsal.ts";
import { splitStretches } from "../suite/jailed/drawn.ts";

/** Lines that the person types, in order. The person approves every question. */
const LINES = ["What is on my list?", "Note that I must call Ada.", "Write into the locked folder."] as const;
/** Placeholder for the three random letters that the console shows with each question. */
const LETTERS = "kfm";
/** Characters in a row of the README. A longer line continues in the next row, indented as on the console. */
const COLUMNS = 96;
const INDENT = "  ";

/** Plays the session and returns its lines. Fails if the example does not compile. */
async function recordSession(checkout: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "capos-recording-"));
  try {
    cpSync(join(checkout, "examples/first-agent/disk"), folder, { recursive: true });
    mkdirSync(join(folder, "audit"));
    const services = { files: { notes: join(folder, "notes") }, logs: "journal", status: "machine" };
    const stage = {
      ...(await compileExample(PUBLIC_KEY.trim())),
      ...services,
      session: "operator",
      disk: join(folder, "audit"),
    };
    const { console, leave } = await rehearse(stage);
    const lines: string[] = [];
    for (const line of LINES) {
      console.answers.splice(0, console.answers.length, "granted");
      const drawn = await console.say(line);
      const questions = drawn.flatMap((one) => (one.what === "question" ? [one.question] : []));
      lines.push(`you> ${line}`);
      for (const [index, stretch] of splitStretches(drawn).entries()) {
        const question = questions[index];
        lines.push(...stretch, ...(question === undefined ? [] : renderQuestion(question)));
      }
    }
    await leave();
    return lines;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the lines that the console draws below a call that it asks about, up to the result of the approval. */
function renderQuestion({ sentence, rule }: Question): readonly string[] {
  return [`* ${sentence} — ${rule}`, `allow? type ${LETTERS} to allow, no to refuse> ${LETTERS}`, "* allowed"];
}

/** Returns the rows of a line. Lines are broken at spaces; a word that is longer than a row is not broken. */
export function wrapLine(line: string, columns = COLUMNS): readonly string[] {
  const [first = "", ...more] = wrap(line, columns, columns - INDENT.length);
  return [first, ...more.map((row) => `${INDENT}${row}`)];
}

/**
 * Plays the session. Returns the README of the checkout as it is, and with this session. Fails if the README lacks the
 * marks for the session.
 */
export async function renderReadme(checkout: string): Promise<{ readonly is: string; readonly should: string }> {
  const is = readFileSync(join(checkout, "README.md"), "utf8");
  const rows = (await recordSession(checkout)).flatMap((line) => wrapLine(line));
  const should = placeSection(is, "recording", `\`\`\`text\n${rows.join("\n")}\n\`\`\`\n`);
  if (should === undefined) throw new Error("README.md has no place for the recording");
  return { is, should };
}
