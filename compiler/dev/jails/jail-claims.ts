// Declares the tests of a run with probers, which are programs that try forbidden actions in the jails of roles. Each
// attempt must have the expected result. The example of the same run must meet every claim of its script.

import { expect, test } from "vitest";
import { ATTEMPTS, answerFor, findProberRoles, LISTERS } from "../../../engine/image/init/jail-attempts.ts";
import type { Role } from "../../../engine/lib/roles/index.ts";
import type { Played } from "./jail-machine.ts";
import { EATER, HANGER, PROBINGS } from "./jail-probers.ts";

/**
 * Declares a test for each claim of the script, and tests of the probers' attempts. `firstUser` is added to the user id
 * of each process of the run.
 */
export function declareJailTests({ lines: said, verdicts }: Played, firstUser: number): void {
  test.each(verdicts)("triage.chat:$line: $words", ({ passed, words }) => {
    expect(passed, words).toBe(true);
  });

  test("the script has claims, and some of them are independent of the run", () => {
    expect(verdicts.filter(({ line }) => line > 0).length).toBeGreaterThan(60);
    expect(verdicts.some(({ line }) => line === 0)).toBe(true);
  });

  /** Reads from the output of a prober what it attempted: returns the result of each attempt by the attempt's name. */
  function wordsOf(prober: string): ReadonlyMap<string, string> {
    const mark = `capos: ${prober} said: `;
    const words = said.flatMap((line) =>
      line.startsWith(mark) ? line.slice(mark.length).trim().split(" ").slice(1) : [],
    );
    return new Map(words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]));
  }

  const found = new Map(PROBINGS.map(({ name }) => [name, wordsOf(name)]));

  const byRole = (roles: readonly Role[], answer: (role: Role) => string): Record<string, string> =>
    Object.fromEntries(roles.map((role) => [role, answer(role)]));

  const each = ATTEMPTS.flatMap((attempt) => attempt.names.map((name) => ({ ...attempt, attempt, name })));

  test.each(each)("$by: $tries: $name", ({ by, name, attempt }) => {
    const roles = findProberRoles(by);
    const answers = byRole(roles, (role) => found.get(`${by}.${role}`)?.get(name) ?? "nothing");
    expect(answers).toEqual(byRole(roles, (role) => answerFor(attempt, role)));
  });

  /** Words of the output that state facts about the process, not results of attempts. */
  const FACTS: ReadonlySet<string> = new Set(["user", "seen"]);

  test.each(PROBINGS)("every attempt of $name has an expected result", ({ name, by }) => {
    const judged = each.filter((attempt) => attempt.by === by).map((attempt) => attempt.name);
    expect([...(found.get(name)?.keys() ?? [])].filter((word) => !judged.includes(word) && !FACTS.has(word))).toEqual(
      [],
    );
  });

  test("each process has its own user and its own process namespace", () => {
    for (const { by, name, uid } of PROBINGS) {
      if (by === "node") expect(found.get(name)?.get("user"), name).toBe(`${uid + firstUser},${uid + firstUser},1,0`);
    }
  });

  test("a directory contains only files of the process that owns it", () => {
    for (const { by, name, role, directory } of PROBINGS) {
      if (by !== "node") continue;
      const held = LISTERS.includes(role) ? `allowed:["of-${directory}","written"]` : "ENOSYS";
      expect(found.get(name)?.get("seen"), name).toBe(directory === undefined ? "EACCES" : held);
    }
  });

  test("a system call of another architecture or too much memory ends a process", () => {
    for (const { by, name } of PROBINGS) {
      expect(said, name).toContain(`capos: ${name} stopped (${by === "native" ? "signal 31" : "exit 7"})`);
    }
    expect(said).toContain(`capos: ${EATER} stopped (signal 9)`);
  });

  test("a process that hangs is killed and restarted, and stays down after its last allowed restart", () => {
    const times = (words: string): number => said.filter((line) => line === `capos: ${words}`).length;
    expect(times(`${HANGER} does not answer`)).toBe(2);
    expect(times(`${HANGER} stopped (signal 9), and is started again`)).toBe(1);
    expect(times(`${HANGER} stopped (signal 9)`)).toBe(1);
    expect(times(`given up: ${HANGER}`)).toBe(1);
  });

  test("the machine starts completely before any prober stops", () => {
    const at = said.indexOf("capos: log_triage 0.1.0");
    expect(at).toBeGreaterThanOrEqual(0);
    for (const { name } of PROBINGS) {
      expect(
        said.findIndex((line) => line.startsWith(`capos: ${name} stopped`)),
        name,
      ).toBeGreaterThan(at);
    }
  });
}
