import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const journal = (grant: string, init: string) =>
  upstreamPage({ services: `service journal : Logs { exec "journal"  grant ${grant} }`, image: init });
const INIT = 'init "process_spawner", "boot_package"';
const PORT = '"tcp_listen_authority badge';

expectRefused(
  "not-held-by-init",
  {
    "power that init was not given": [journal("«kernel.log_reader»", INIT), "it does not hold it"],
    "where the page says nothing of init": journal("«kernel.log_reader»", ""),
    "another port than init's": [
      journal('«kernel.tcp_listen_authority» scope "badge 80"', `${INIT}, ${PORT} 22"`),
      "it holds it with another badge",
    ],
    "one of several ports, by none of their names": [
      journal(
        '«kernel.tcp_listen_authority» scope "badge 80", "as web"',
        `${INIT}, ${PORT} 80 as one", ${PORT} 81 as two"`,
      ),
      "it holds several, and none of this name",
    ],
  },
  PROGRAMS,
);

expectRefused(
  "init-cannot-start",
  {
    "without a spawner": upstreamPage({ image: 'init «"console"», "boot_package"' }),
    "without a spawner, where one service of two is a program": upstreamPage({
      services: 'service journal : Logs { exec "journal" }  service clock : Clock {}',
      image: 'init «"console"», "boot_package"',
    }),
    "without its package": upstreamPage({ image: 'init «"process_spawner"»' }),
  },
  PROGRAMS,
);

expectAccepted(
  "not-held-by-init, init-cannot-start, kept",
  {
    "one of several ports, by its name": journal(
      'kernel.tcp_listen_authority scope "badge 81", "as two"',
      `${INIT}, ${PORT} 80 as one", ${PORT} 81 as two"`,
    ),
    "power that init was given": journal("kernel.log_reader", `${INIT}, "log_reader"`),
    "what is made anew for each process": journal("kernel.timer", INIT),
    "an init that has nobody to start": upstreamPage({
      services: "service journal : Logs {}",
      image: 'init "console"',
    }),
  },
  PROGRAMS,
);

expectUnsaid(
  "not-held-by-init",
  { "beside a word of init that cannot be read": journal("kernel.log_reader", `${INIT}, "log_readers"`) },
  PROGRAMS,
);

expectUnsaid(
  "init-cannot-start",
  { "beside a word of init that cannot be read": upstreamPage({ image: 'init "process_spawners", "boot_package"' }) },
  PROGRAMS,
);

const FOR_LINUX = renderFactsPage({
  services: 'service journal : Logs { exec "journal"  grant kernel.log_reader }',
  rest: 'image { target linux  machine vm  boot operator  init "console" }',
});

expectUnsaid("not-held-by-init", { "on a page for another kernel": FOR_LINUX }, PROGRAMS);
expectUnsaid("init-cannot-start", { "on a page for another kernel": FOR_LINUX }, PROGRAMS);
