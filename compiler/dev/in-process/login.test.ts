// Tests a session with a login. All processes except console and init are the real code. A person who logs in does not
// see the conversation of the previous person. The log states who was logged in.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { decodeMessage, encodeMessage } from "../../../engine/lib/wire/index.ts";
import { newSshKey } from "../../../engine/processes/broker/sshsig/testing/ssh-keygen.ts";
import { createStage } from "./examples.ts";
import { rehearse } from "./rehearsal.ts";

/** Returns the tables of an example, changed so that its session requires a login and is open to two people. */
function closed(bytes: Uint8Array, keys: readonly string[]): Uint8Array {
  const read = decodeMessage(PolicyTables, bytes);
  if (!read.ok) throw new Error(read.reason);
  const principals = keys.map((line, index) => ({ name: index === 0 ? "alice" : "bob", keys: [line], passphrase: "" }));
  const rows = read.value.rows.map((row) => ({
    ...row,
    login: "key" as const,
    principals: principals.map((_, at) => at),
  }));
  return encodeMessage(PolicyTables, { ...read.value, principals, rows });
}

test("alice and bob log in at one console and get separate conversations, and a stranger is refused", async () => {
  const [alice, bob, stranger] = [newSshKey(), newSshKey(), newSshKey()];
  const folder = mkdtempSync(join(tmpdir(), "capos-login-"));
  const stage = await createStage("guest-kiosk", folder, alice.line);
  const played = await rehearse({ ...stage, tables: closed(stage.tables, [alice.line, bob.line]) });
  const enter = async (key: typeof alice, namespace = "login@capos") => {
    played.console.answers.push((line) => key.sign(line, { namespace }));
    return played.command("login");
  };
  const locked = [`session ${stage.session} is locked: /login opens it`];
  expect(await played.command("context")).toEqual(locked);
  expect((await enter(stranger))[0]).toMatch(/^refused: wrong key/);
  expect((await enter(alice, "stepup@capos"))[0]).toMatch(/^refused: wrong namespace/);
  expect(await enter(alice)).toEqual(["alice is logged in"]);
  const { conversation } = played.gate.place;
  await played.console.say("What is there to see?");
  expect(await played.command("logout")).toEqual(["alice is logged out"]);
  expect(played.console.drawn.at(-1)).toEqual({ what: "lock" });
  expect(await played.command("audit")).toEqual(locked);
  expect(await enter(alice)).toEqual(["alice is logged in"]);
  expect(played.gate.place.conversation).toBe(conversation);
  await played.command("logout");
  expect(await enter(bob)).toEqual(["bob is logged in"]);
  expect(played.gate.place.conversation).not.toBe(conversation);
  const records = (await played.command("audit", "20")).join("\n");
  for (const words of ["login alice", "logout alice: logout", "login bob", "login refused wrong key"]) {
    expect(records).toContain(words);
  }
  await played.leave();
  for (const key of [alice, bob, stranger]) key.remove();
  rmSync(folder, { recursive: true });
});
