import { expectAccepted, expectRefused } from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const journal = (grant: string, init: string) =>
  upstreamPage({ services: `service journal : Logs { exec "journal"  grant ${grant} }`, image: init });
const INIT = 'init "process_spawner", "boot_package"';
const PORT = '"tcp_listen_authority badge';

expectRefused(
  "not-held-by-init",
  {
    "power that init was not given": journal("«kernel.log_reader»", INIT),
    "where the page says nothing of init": journal("«kernel.log_reader»", ""),
    "another port than init's": journal('«kernel.tcp_listen_authority» scope "badge 80"', `${INIT}, ${PORT} 22"`),
    "one of several ports, by none of their names": journal(
      '«kernel.tcp_listen_authority» scope "badge 80", "as web"',
      `${INIT}, ${PORT} 80 as one", ${PORT} 81 as two"`,
    ),
  },
  PROGRAMS,
);

expectRefused(
  "init-cannot-start",
  {
    "without a spawner": upstreamPage({ image: 'init «"console"», "boot_package"' }),
    "without its package": upstreamPage({ image: 'init «"process_spawner"»' }),
  },
  PROGRAMS,
);

expectAccepted(
  "what init holds",
  {
    "one of several ports, by its name": journal(
      'kernel.tcp_listen_authority scope "badge 81", "as two"',
      `${INIT}, ${PORT} 80 as one", ${PORT} 81 as two"`,
    ),
    "what is made anew for each process": journal("kernel.timer", INIT),
    "an init that has nobody to start": upstreamPage({
      services: "service journal : Logs {}",
      image: 'init "console"',
    }),
  },
  PROGRAMS,
);
