import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const INIT = 'init "process_spawner", "boot_package"';
const journal = (grants: string, init = INIT) =>
  upstreamPage({ services: `service journal : Logs { exec "journal"  ${grants} }`, image: init });

expectRefused(
  "source-unfit",
  {
    "a source for measurements": [journal("grant «kernel.park_bench»"), "it is only for measurements"],
    "a null source of init": journal("", `${INIT}, «"null"»`),
    "a disk that the page cannot configure": journal("", `${INIT}, «"block_device_target"»`),
    "a key that the page cannot configure": [
      journal("", `${INIT}, «"ssh_development_host_key"»`),
      "a page cannot give the settings that it needs",
    ],
    "the terminal for two services": upstreamPage({
      services: `service clock : Clock { exec "clock"  grant kernel.terminal_session }
        service journal : Logs { exec "journal"  grant «kernel.terminal_session» }`,
    }),
    "the terminal for init twice": journal("", `${INIT}, "terminal_session", «"terminal_session as second"»`),
  },
  PROGRAMS,
);

expectAccepted(
  "source-unfit, kept",
  { "the terminal, passed on by init": journal("grant kernel.terminal_session", `${INIT}, "terminal_session"`) },
  PROGRAMS,
);

expectUnsaid("source-unfit", {
  "a page for another kernel": renderFactsPage({ services: "service journal : Logs { grant kernel.park_bench }" }),
});
