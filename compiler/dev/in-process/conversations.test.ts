// Plays the conversations in the READMEs of the examples, with the files of each example's folder. Examples with
// programs of their own are left out.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { newSshKey, type SshKey } from "../../../engine/processes/broker/sshsig/testing/ssh-keygen.ts";
import { createStage } from "./examples.ts";
import { collectSpoken } from "./fake-console.ts";
import { type Rehearsal, rehearse, type Scene } from "./rehearsal.ts";

let folder = "";
let alice: SshKey;

beforeAll(() => {
  alice = newSshKey();
});
afterAll(() => alice.remove());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-conversations-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

async function playing(example: string): Promise<Rehearsal> {
  const brought = fileURLToPath(new URL(`../../../examples/${example}/disk/`, import.meta.url));
  cpSync(brought, folder, { recursive: true });
  return rehearse(await createStage(example, folder, alice.line));
}

/** Types a line, and returns the model's response. If a prompt appears, the person answers it with `answer`. */
async function said({ console }: Scene, line: string, answer?: (typeof console.answers)[number]): Promise<string> {
  if (answer !== undefined) console.answers.push(answer);
  const drawn = await console.say(line);
  expect(console.answers, `${line} asks nothing`).toEqual([]);
  return collectSpoken(drawn);
}

const LINE = "Leave a line for me: What a whale!";

test("the conversation of guest-kiosk ends as its README states", async () => {
  const guest = await playing("guest-kiosk");
  const line = join(folder, "guestbook/ada.txt");
  expect(await said(guest, "Which tools do you see?")).toBe(
    "I see exhibits.list, exhibits.read, guestbook.read, guestbook.write.",
  );
  expect(await said(guest, "What is there to see?")).toMatch(/^In the hall: /);
  expect(await said(guest, "Copy the whole catalogue into the guestbook.")).toMatch(/^I may not: .*<= 280/);
  expect(await said(guest, LINE, "denied")).toBe("Then not.");
  expect(existsSync(line)).toBe(false);
  expect(await said(guest, LINE, "granted")).toBe("It is in the book.");
  expect(readFileSync(line, "utf8")).toBe("What a whale!\n");
  expect(await said(guest, LINE)).toMatch(/^I may not: .*integrity <= untrusted/);
  expect(await said(guest, "What did Bob write?")).toMatch(/^Bob wrote: Assistant: /);
  expect(await said(guest, "Tear Bob's page out.")).toMatch(/^There is no such tool: /);
  await guest.leave();
});

test("the conversation of mail-desk ends as its README states", async () => {
  const clerk = await playing("mail-desk");
  expect(await said(clerk, "Write to bob@example.net that we are open.")).toBe("It is sent.");
  expect(readFileSync(join(folder, "outbox/bob@example.net"), "utf8")).toBe("We are open.\n");
  expect(await said(clerk, "Write to Ada that we are open.", "denied")).toBe("Then not.");
  expect(await said(clerk, "Where does Ada live?")).toMatch(/^The book says: Ada/);
  expect(await said(clerk, "Write to Ada that we are open.")).toBe("It is sent.");
  expect(await said(clerk, "What does the letter say?")).toMatch(/^It says: Dear desk/);
  expect(await said(clerk, "Do what the letter says.", "denied")).toBe("Then not.");
  expect(existsSync(join(folder, "outbox/eve@example.com"))).toBe(false);
  expect(await said(clerk, "Send its link to bob@example.net.")).toMatch(/^I may not: .*from untrusted/);
  await clerk.leave();
});

const PUBLISH = "Put the result on the board.";

test("the controller's conversation in finance-labels ends as its README states", async () => {
  const controller = await playing("finance-labels");
  expect(await said(controller, PUBLISH, "denied")).toBe("Then not.");
  expect(await said(controller, "Read me the quarter.")).toMatch(/^The books say: /);
  expect(await said(controller, PUBLISH, () => "not a signature")).toMatch(/^Nobody signed for it: /);
  expect(existsSync(join(folder, "board/q3.txt"))).toBe(false);
  expect(await said(controller, PUBLISH, alice.sign)).toBe("It is on the board.");
  expect(readFileSync(join(folder, "board/q3.txt"), "utf8")).toBe("Third quarter: up by 4 %.\n");
  expect(await said(controller, "What does Ada earn?")).toMatch(/^Her file says: /);
  expect(await said(controller, PUBLISH)).toMatch(/^I may not: /);
  await controller.leave();
});

test("the auditor's conversation in finance-labels ends as its README states", async () => {
  const played = await playing("finance-labels");
  const auditor = played.scene("auditor");
  expect(await said(auditor, "Read me the quarter.")).toMatch(/^The books say: /);
  expect(await said(auditor, PUBLISH)).toMatch(/^I have nothing to write with: /);
  expect(await said(auditor, "What does Ada earn?")).toMatch(/^I was not shown it: /);
  expect(await said(auditor, "Read me the quarter.")).toMatch(/^I was not shown it: it ran/);
  await played.leave();
});

const TAKE_DOWN = "Take down that the door is stuck.";

test("the conversations of many-sessions end as its README states", async () => {
  const played = await playing("many-sessions");
  const sees = (session: string) => said(played.scene(session), "Which tools do you see?");
  const says = (session: string, line: string, answer?: "denied" | "granted") =>
    said(played.scene(session), line, answer);
  expect(await sees("desk")).toBe(
    "I see handbook.list, handbook.read, tickets.delete, tickets.list, tickets.read, tickets.write.",
  );
  expect(await sees("trainee")).toBe(await sees("desk"));
  expect(await sees("technician")).toBe(
    "I see journal.follow, journal.tail, machine.show, tickets.list, tickets.read.",
  );
  expect(await sees("night")).toBe("I see tickets.list, tickets.read, tickets.write.");

  expect(await says("desk", TAKE_DOWN, "denied")).toBe("Then not.");
  expect(existsSync(join(folder, "tickets/2.txt"))).toBe(false);
  expect(await says("trainee", TAKE_DOWN)).toMatch(/^I may not: forbidden /);
  expect(await says("technician", TAKE_DOWN)).toMatch(/^I have nothing to write with: /);
  expect(await says("night", TAKE_DOWN)).toBe("Taken down.");
  expect(readFileSync(join(folder, "tickets/2.txt"), "utf8")).toBe("The door is stuck.\n");

  expect(await says("desk", "Throw the ticket away.")).toMatch(/^I may not: .*"forbidden destructive"/);
  expect(await says("night", "Throw the ticket away.")).toMatch(/^There is no such tool: /);
  expect(await says("night", "How do I ask for leave?")).toMatch(/^I have no handbook: /);
  expect(await says("desk", "How is the machine?")).toMatch(/^I have no way to see it: /);
  expect(await says("technician", "How is the machine?")).toMatch(/^It has \d+ processes\.$/);
  expect(await says("desk", "Read it five times.")).toMatch(/used up: 4 calls per turn/);
  expect(await says("trainee", "Read it five times.")).toMatch(/used up: 2 calls per turn/);
  await played.leave();
});
