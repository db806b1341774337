import { expectAccepted, expectRefused } from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const programs = (...paths: string[]) =>
  upstreamPage({
    services: paths.map((path, at) => `service s${at} : Status { exec ${path} }`).join("  "),
  });
const LONG = "a".repeat(65);
const { "/journal": elf } = PROGRAMS;
const FILES = {
  ...{
    "/journal": elf,
    "/init": elf,
    "/policy-tables": elf,
    "/one/journal": elf,
    [`/${LONG}`]: elf,
    [`/${LONG.slice(1)}`]: elf,
  },
  ...{ "/short": elf.subarray(0, 18), "/arm": elf.with(18, 183), "/narrow": elf.with(4, 1) },
};

expectRefused(
  "program-name",
  {
    "the kernel's own": programs('«"init"»'),
    "that of the tables": programs('«"policy-tables"»'),
    "two of one name": programs('"journal"', '«"one/journal"»'),
    "65 bytes": programs(`«"${LONG}"»`),
  },
  FILES,
);

expectRefused(
  "program-foreign",
  {
    "one that is cut off": programs('«"short"»'),
    "one for another processor": programs('«"arm"»'),
    "one of 32 bits": programs('«"narrow"»'),
  },
  FILES,
);

expectAccepted(
  "programs",
  {
    "one program of two services": programs('"journal"', '"journal"'),
    "64 bytes": programs(`"${LONG.slice(1)}"`),
  },
  FILES,
);
