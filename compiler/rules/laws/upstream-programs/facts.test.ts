import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const programs = (...paths: string[]) =>
  upstreamPage({
    services: paths.map((path, at) => `service s${at} : Status { exec ${path} }`).join("  "),
  });
const LONG = "a".repeat(65);
const { "/journal": elf } = PROGRAMS;
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`);
const FILES = {
  ...Object.fromEntries(numbered(64).map((name) => [`/${name}`, elf])),
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
    "the kernel's own": [programs('«"init"»'), "`init` upstream: that name is taken"],
    "that of the tables": programs('«"policy-tables"»'),
    "two of one name": [programs('"journal"', '«"one/journal"»'), "`journal` has that name"],
    "the second of two, each time that it is named": [
      programs('"one/journal"', '«"journal"»', '«"journal"»'),
      "`one/journal` has that name",
      "`one/journal` has that name",
    ],
    "65 bytes": [programs(`«"${LONG}"»`), "a name has at most 64 bytes"],
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

const many = (count: number, last: string) =>
  upstreamPage({
    services: `${numbered(count)
      .map((name) => `service ${name} : Status { exec "${name}" }`)
      .join("  ")}  service more : Status { exec ${last} }  service still : Logs {}`,
  });

expectRefused(
  "programs-many",
  { "64 of them, at the last one": [many(63, '«"p63"»'), "64 programs are more than the 63"] },
  FILES,
);

expectAccepted(
  "program-name, program-foreign, programs-many, kept",
  {
    "63 of them, one of two services": many(63, '"p62"'),
    "a service without a program": upstreamPage({
      services: 'service s : Status { exec "journal" }  service t : Logs {}',
    }),
    "one program of two services": programs('"journal"', '"journal"'),
    "64 bytes": programs(`"${LONG.slice(1)}"`),
  },
  FILES,
);

expectUnsaid(
  "program-name",
  {
    "on a page for another kernel": renderFactsPage({
      services: 'service s : Status { exec "init" }  service t : Status { exec "one/journal"  grant kernel.timer }',
    }),
  },
  FILES,
);

expectUnsaid("program-foreign", { "beside a file that is not there": programs('"nowhere"') }, FILES);
