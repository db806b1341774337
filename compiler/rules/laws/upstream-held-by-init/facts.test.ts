import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const journal = (grant: string, init: string) =>
  upstreamPage({ services: `service journal : Logs { exec "journal"  grant ${grant} }`, image: init });
const INIT = 'init "process_spawner", "boot_package"';
const PORT = '"tcp_listen_authority badge';

expectRefused(
  "not-held-by-init",
  {
    "a capability that init does not have": [journal("«kernel.log_reader»", INIT), "init does not hold it"],
    "a page without settings of init": journal("«kernel.log_reader»", ""),
    "another port than the one of init": [
      journal('«kernel.tcp_listen_authority» scope "badge 80"', `${INIT}, ${PORT} 22"`),
      "init holds it with another badge",
    ],
    "a port under a name that init does not have": [
      journal(
        '«kernel.tcp_listen_authority» scope "badge 80", "as web"',
        `${INIT}, ${PORT} 80 as one", ${PORT} 81 as two"`,
      ),
      "init holds several of this kind, but none with this name",
    ],
  },
  PROGRAMS,
);

expectRefused(
  "init-cannot-start",
  {
    "an init without a spawner": upstreamPage({ image: 'init «"console"», "boot_package"' }),
    "an init without a spawner, if one of two services is a program": upstreamPage({
      services: 'service journal : Logs { exec "journal" }  service clock : Clock {}',
      image: 'init «"console"», "boot_package"',
    }),
    "an init without its package": upstreamPage({ image: 'init «"process_spawner"»' }),
  },
  PROGRAMS,
);

expectAccepted(
  "not-held-by-init, init-cannot-start, kept",
  {
    "a port under its name": journal(
      'kernel.tcp_listen_authority scope "badge 81", "as two"',
      `${INIT}, ${PORT} 80 as one", ${PORT} 81 as two"`,
    ),
    "a capability that init has": journal("kernel.log_reader", `${INIT}, "log_reader"`),
    "a capability that each process receives anew": journal("kernel.timer", INIT),
    "an init without a process to start": upstreamPage({
      services: "service journal : Logs {}",
      image: 'init "console"',
    }),
  },
  PROGRAMS,
);

expectUnsaid(
  "not-held-by-init",
  { "an unreadable word of init": journal("kernel.log_reader", `${INIT}, "log_readers"`) },
  PROGRAMS,
);

expectUnsaid(
  "init-cannot-start",
  { "an unreadable word of init": upstreamPage({ image: 'init "process_spawners", "boot_package"' }) },
  PROGRAMS,
);

const FOR_LINUX = renderFactsPage({
  services: 'service journal : Logs { exec "journal"  grant kernel.log_reader }',
  rest: 'image { target linux  machine vm  boot operator  init "console" }',
});

expectUnsaid("not-held-by-init", { "a page for another kernel": FOR_LINUX }, PROGRAMS);
expectUnsaid("init-cannot-start", { "a page for another kernel": FOR_LINUX }, PROGRAMS);
