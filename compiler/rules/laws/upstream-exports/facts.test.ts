import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const two = (clock: string, journal: string) =>
  upstreamPage({
    services: `service clock : Clock { exec "clock"  ${clock} }  service journal : Logs { exec "journal"  ${journal} }`,
  });

expectRefused(
  "export-unfit",
  {
    "memory of the service": [
      two('grant «kernel.virtual_memory» scope "exported"', ""),
      "bound to the process that has it",
    ],
    "power over processes": [
      upstreamPage({
        services: 'service journal : Logs { exec "journal"  grant «kernel.process_spawner» scope "exported" }',
      }),
      "it gives rights over things that are not the service's own",
    ],
    "an export of the kernel": [
      two('grant «kernel.endpoint» scope "export clock"', ""),
      "`export NAME` is only for grants of services",
    ],
  },
  PROGRAMS,
);

expectRefused(
  "export-unknown",
  {
    "a service without exports": [two("grant kernel.endpoint", "grant «clock»"), "it exports nothing"],
    "a service with two exports, if the grant names none": [
      two('grant kernel.endpoint scope "exported"  grant kernel.wall_clock scope "exported"', "grant «clock»"),
      "it exports endpoint, wall_clock",
    ],
    "a service with the export under another name": two(
      'grant kernel.endpoint scope "as clock", "exported"',
      'grant «clock» scope "export endpoint"',
    ),
    "passed on": [
      two('grant kernel.endpoint scope "exported"', 'grant «clock» scope "exported"'),
      "an export of another service cannot be exported again",
    ],
    "a service without a process": [
      upstreamPage({
        services: 'service clock : Clock {}  service journal : Logs { exec "journal"  grant «clock» }',
      }),
      "it has no static program, so it is not a process of upstream",
    ],
  },
  PROGRAMS,
);

expectAccepted(
  "export-unfit, export-unknown, kept",
  {
    "one of two exports, by its name": two(
      'grant kernel.endpoint scope "as clock", "exported"  grant kernel.wall_clock scope "exported"',
      'grant clock scope "export wall_clock"',
    ),
  },
  PROGRAMS,
);

expectUnsaid("export-unfit", {
  "a page for another kernel": renderFactsPage({
    services: 'service journal : Logs { grant kernel.virtual_memory scope "exported" }',
  }),
});
