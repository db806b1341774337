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
    "the name of a program of the kernel": [programs('«"init"»'), "the program name `init`: this name is reserved"],
    "the name of the policy tables": programs('«"policy-tables"»'),
    "two programs with one name": [programs('"journal"', '«"one/journal"»'), "`journal` has that name"],
    "the second of two programs with one name, at each use": [
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
    "a truncated program": programs('«"short"»'),
    "a program for another processor": programs('«"arm"»'),
    "a 32-bit program": programs('«"narrow"»'),
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
  { "64 programs, at the last one": [many(63, '«"p63"»'), "the page has 64 programs; upstream can list at most 63"] },
  FILES,
);

expectAccepted(
  "program-name, program-foreign, programs-many, kept",
  {
    "63 programs, one of which two services use": many(63, '"p62"'),
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
    "a page for another kernel": renderFactsPage({
      services: 'service s : Status { exec "init" }  service t : Status { exec "one/journal"  grant kernel.timer }',
    }),
  },
  FILES,
);

expectUnsaid("program-foreign", { "a missing file": programs('"nowhere"') }, FILES);
