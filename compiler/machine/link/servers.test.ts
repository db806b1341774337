// Tests the programs that QEMU starts, and the sockets through which QEMU passes frames.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { encodeQuestion, readAddresses } from "../../../engine/processes/egress/message.ts";
import { buildQemuArguments } from "../qemu.ts";
import { answerTo } from "./answer.ts";
import { prependLength } from "./leases.ts";
import { readLinkSettings } from "./settings.ts";
import { planLink } from "./start.ts";
import { messagesIn } from "./syslog.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-link-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COLLECTORS = { syslog: "/log", otlp: "/otlp" };
const settings = readLinkSettings("lease 60 s\nname a.example.net 11.0.0.80\n");
if (!("names" in settings)) throw new Error("the test's own settings are wrong");

function ran(program: string, file: string, input: Uint8Array): Promise<Buffer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(input);
  return buffer(child.stdout);
}

test("the guest finds the address of a listed name and no unlisted name, and a truncated question gets no response", () => {
  const found = (name: string) =>
    readAddresses(answerTo(Buffer.from(encodeQuestion(7, name)), settings) ?? Buffer.alloc(12), 7, name);
  expect(found("a.example.net")).toEqual({ ok: true, value: [[11, 0, 0, 80]] });
  expect(found("b.example.net")).toMatchObject({ ok: false, reason: "there is no such name" });
  for (const size of [0, 12, 20]) {
    expect(answerTo(Buffer.from(encodeQuestion(7, "a.example.net")).subarray(0, size), settings)).toBeUndefined();
  }
});

test("a question over a connection is answered on that connection", async () => {
  const file = join(folder, "network");
  writeFileSync(file, "name a.example.net 11.0.0.80\n");
  const asked = Buffer.from(encodeQuestion(9, "a.example.net"));
  const answer = await ran("names.ts", file, Buffer.concat([Buffer.of(0, asked.length), asked]));
  expect(readAddresses(answer.subarray(2), 9, "a.example.net")).toEqual({ ok: true, value: [[11, 0, 0, 80]] });
});

test("complete messages are stored in order, and an incomplete one is not", async () => {
  const one = "<110>1 - tour - - - - a 5 b";
  const file = join(folder, "syslog.log");
  const sent = `${one.length} ${one}3 <1>99 half`;
  expect(messagesIn(sent)).toEqual([one, "<1>"]);
  for (const odd of ["", "x", "05 hello", "5hello", "9999999 x"]) expect(messagesIn(odd)).toEqual([]);
  await ran("syslog.ts", file, Buffer.from(sent));
  await ran("syslog.ts", file, Buffer.from(sent));
  expect(readFileSync(file, "latin1")).toBe(`${one}\n<1>\n${one}\n<1>\n`);
});

test("frames that are sent to one socket arrive in order at the other", async () => {
  const { plan, end } = await planLink({ file: "network", settings }, COLLECTORS, folder);
  const { out = "", back = "" } = plan.sockets ?? {};
  const [sending, taking] = [connect(out), connect(back)];
  const sent = Buffer.concat([prependLength(Buffer.from("one")), prependLength(Buffer.from("two"))]);
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  let got = Buffer.alloc(0);
  taking.on("data", (bytes: Buffer) => {
    got = Buffer.concat([got, bytes]);
    if (got.length >= sent.length) resolve(got);
  });
  sending.write(sent);
  expect(await promise).toEqual(sent);
  for (const socket of [sending, taking]) socket.destroy();
  end();
});

test("QEMU gets arguments only for the settings in the file, and no arguments without a file", async () => {
  const guest = { image: "a.iso", format: "raw", firmware: { kind: "bios" }, device: "virtio" } as const;
  const words = (more: object) =>
    buildQemuArguments(
      { ...guest, disk: undefined, memoryMiB: 512, interactive: false, hasNetwork: true, web: "/web", ...more },
      { name: "tcg", because: "" },
    ).join(" ");
  const { plan, end } = await planLink({ file: "/a,b", settings }, COLLECTORS, folder);
  end();
  const all = words({ link: plan });
  for (const place of ["10.0.2.80:80", "11.0.0.80:80", "10.0.2.53:53", "10.0.2.80:514"]) {
    expect(all).toContain(`guestfwd=tcp:${place}-cmd:`);
  }
  expect(all).toContain("net=8.0.0.0/5,host=10.0.2.2,dhcpstart=10.0.2.15,dns=10.0.2.3");
  expect(all).toContain("filter-redirector,id=passed,netdev=net,queue=tx,outdev=passed-out,indev=passed-back");
  expect(all).toContain("'/web' '/otlp'");
  expect(all).not.toContain("queue=rx");
  const overUdp = await planLink({ file: "/a,b", settings: { ...settings, namesOverUdp: true } }, COLLECTORS, folder);
  overUdp.end();
  expect(words({ link: overUdp.plan })).toContain(
    "filter-redirector,id=asked,netdev=net,queue=rx,outdev=asked-out,indev=asked-back",
  );
  const plain = words({ link: (await planLink(undefined, COLLECTORS, folder)).plan });
  expect(plain).not.toMatch(/filter|net=8|:53-cmd/);
});
