import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const journal = (grants: string, image = "") =>
  upstreamPage({ services: `service journal : Logs { exec "journal"  ${grants} }`, image });
const PORTS = 'init "process_spawner", "boot_package", "tcp_listen_authority badge';

expectRefused(
  "badge-unfit",
  {
    "a badge of an endpoint": [
      journal('grant «kernel.endpoint» scope "badge 1"'),
      "`endpoint` of the kernel has no badge",
    ],
    "a badge of init's console": journal("", 'init «"console badge 7"», "process_spawner", "boot_package"'),
    "a port without a number": [
      journal("", 'init "process_spawner", "boot_package", «"tcp_listen_authority"»'),
      "`tcp_listen_authority` needs as its badge the port on which it listens",
    ],
    "a port above the largest one": journal(
      "",
      `${"init «"}"tcp_listen_authority badge 65536"», "process_spawner", "boot_package"`,
    ),
  },
  PROGRAMS,
);

expectAccepted(
  "badge-unfit, kept",
  {
    "the first port and the last": journal(
      'grant kernel.tcp_listen_authority scope "badge 65535"',
      `${PORTS} 65535", "tcp_listen_authority badge 1 as first"`,
    ),
    "a capability without a badge": journal(
      "grant kernel.endpoint",
      'init "console", "process_spawner", "boot_package"',
    ),
    "any badge for an export of a service": upstreamPage({
      services: `service clock : Clock { exec "clock"  grant kernel.endpoint scope "exported" }
        service journal : Logs { exec "journal"  grant clock scope "badge 18446744073709551614" }`,
    }),
  },
  PROGRAMS,
);

expectUnsaid("badge-unfit", {
  "a page for another kernel": renderFactsPage({
    services: 'service journal : Logs { grant kernel.endpoint scope "badge 1" }',
  }),
});
