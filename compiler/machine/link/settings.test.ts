import { expect, test } from "vitest";
import { listServedAddresses, openLink, readLinkSettings } from "./settings.ts";

test("the lease time and the names are read from the file, and every invalid line is reported", () => {
  const read = readLinkSettings("# a comment\n\nlease 60 s\nname a.example.net 11.0.0.80\n");
  expect(read).toEqual({ leaseSeconds: 60, names: new Map([["a.example.net", "11.0.0.80"]]) });
  expect(readLinkSettings("names over udp\n")).toEqual({ names: new Map(), namesOverUdp: true });
  const odd = [
    "names over tcp",
    "lease 0 s",
    "lease 60",
    "name a",
    "name -a 11.0.0.80",
    "name a 11.0.0",
    "name A.example 1.2.3.4",
    "port 5",
  ];
  expect(readLinkSettings(odd.join("\n"))).toEqual(
    odd.map((_, index) => `${index + 1}: a line is 'lease SECONDS s', 'name NAME ADDRESS' or 'names over udp'`),
  );
});

test("refuses a carriage return that would hide a line from the parser", () => {
  expect(readLinkSettings("lease 60 s\n# a comment\rname a.example.net 11.0.0.80\n")).toEqual([
    "2: a carriage return (U+000D) stands here without a line feed",
  ]);
});

test("the web server is available only at addresses in QEMU's network", () => {
  const addresses = ["11.0.0.80", "169.254.169.254", "10.0.2.2", "7.255.255.255", "16.0.0.1", "8.0.0.1", "11.0.0.80"];
  const names = new Map(addresses.map((address, index) => [`n${index}`, address]));
  expect(listServedAddresses({ names })).toEqual(["11.0.0.80", "8.0.0.1"]);
});

test("an unreadable or invalid file is refused", () => {
  expect(openLink(undefined)).toBeUndefined();
  expect(openLink("/nowhere/network")).toMatchObject({ status: 3 });
  expect(openLink(import.meta.filename)).toMatchObject({ status: 2 });
});
