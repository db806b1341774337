import { expectAccepted, expectRefused } from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const two = (clock: string, journal: string) =>
  upstreamPage({
    services: `service clock : Clock { exec "clock"  ${clock} }  service journal : Logs { exec "journal"  ${journal} }`,
  });

expectRefused(
  "export-unfit",
  {
    "memory of its own": two('grant «kernel.virtual_memory» scope "exported"', ""),
    "power over processes": upstreamPage({
      services: 'service journal : Logs { exec "journal"  grant «kernel.process_spawner» scope "exported" }',
    }),
    "an export of the kernel's": two('grant «kernel.endpoint» scope "export clock"', ""),
  },
  PROGRAMS,
);

expectRefused(
  "export-unknown",
  {
    "of who exports nothing": two("grant kernel.endpoint", "grant «clock»"),
    "of who exports two things, without saying which": two(
      'grant kernel.endpoint scope "exported"  grant kernel.wall_clock scope "exported"',
      "grant «clock»",
    ),
    "of who exports it under another name": two(
      'grant kernel.endpoint scope "as clock", "exported"',
      'grant «clock» scope "export endpoint"',
    ),
    "passed on": two('grant kernel.endpoint scope "exported"', 'grant «clock» scope "exported"'),
    "of who is no process": upstreamPage({
      services: 'service clock : Clock {}  service journal : Logs { exec "journal"  grant «clock» }',
    }),
  },
  PROGRAMS,
);

expectAccepted(
  "exports",
  {
    "one of two, by its name": two(
      'grant kernel.endpoint scope "as clock", "exported"  grant kernel.wall_clock scope "exported"',
      'grant clock scope "export wall_clock"',
    ),
  },
  PROGRAMS,
);
