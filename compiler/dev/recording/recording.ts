// Plays a session of the first example as text in this process. It uses the example's page and stub model, and the
// gate, broker, audit process and services of an image. It prints one line for each event that the console would draw.
// The console itself is Rust and does not run here.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeSection } from "../../../engine/image/init/jail-table.ts";
import type { Question } from "../../../engine/lib/wire/generated/wire.ts";
import { compileExample } from "../in-process/example.ts";
import { rehearse } from "../in-process/rehearsal.ts";
import { splitStretches } from "../suite/jailed/drawn.ts";

/** Lines that the person types, in order. The person approves every prompt. */
const LINES = ["What is on my list?", "Note that I must call Ada.", "Write into the locked folder."] as const;
/** These letters replace the three random letters that the console draws with each prompt. */
const LETTERS = "kfm";
/** Public key of alice. The private half is not needed, because the session contains no step-up. */
const KEY = `ssh-ed25519 ${Buffer.concat([Buffer.from("0000000b7373682d6564323535313900000020", "hex"), Buffer.alloc(32, 7)]).toString("base64")}`;
/**
 * Maximum number of characters in one line of the README. A longer line continues on the next one, indented as on the
 * console.
 */
const COLUMNS = 96;
const INDENT = "  ";

/** Plays the session and returns the lines that the console would show. Fails if the example does not compile. */
async function recordSession(checkout: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "capos-recording-"));
  try {
    cpSync(join(checkout, "examples/first-agent/disk"), folder, { recursive: true });
    mkdirSync(join(folder, "audit"));
    const services = { files: { notes: join(folder, "notes") }, logs: "journal", status: "machine" };
    const stage = { ...(await compileExample(KEY)), ...services, session: "operator", disk: join(folder, "audit") };
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

/** Returns the lines that the console shows below a call with a prompt, up to the result of the approval. */
function renderQuestion({ sentence, rule }: Question): readonly string[] {
  return [`* ${sentence} — ${rule}`, `allow? type ${LETTERS} to allow, anything else refuses> ${LETTERS}`, "* allowed"];
}

/**
 * Splits a long line into several lines. Lines are split at spaces; a word that is too long for a line stays whole on a
 * line of its own.
 */
export function wrapLine(line: string, columns = COLUMNS): readonly string[] {
  if (line.length <= columns) return [line];
  const space = line.lastIndexOf(" ", columns);
  const at = space > INDENT.length ? space : line.indexOf(" ", columns);
  if (at < 0) return [line];
  return [line.slice(0, at), ...wrapLine(`${INDENT}${line.slice(at + 1)}`, columns)];
}

/**
 * Returns the current text of the README, and its text with the newly played session. Throws if the README lacks the
 * marks around the session.
 */
export async function renderReadme(checkout: string): Promise<{ readonly is: string; readonly should: string }> {
  const is = readFileSync(join(checkout, "README.md"), "utf8");
  const rows = (await recordSession(checkout)).flatMap((line) => wrapLine(line));
  const should = placeSection(is, "recording", `\`\`\`text\n${rows.join("\n")}\n\`\`\`\n`);
  if (should === undefined) throw new Error("README.md has no place for the recording");
  return { is, should };
}
