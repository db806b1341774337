import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const image = (image: string) => upstreamPage({ image });
const grant = (words: string) =>
  upstreamPage({ services: `service journal : Logs { exec "journal"  grant kernel.timer scope ${words} }` });

expectRefused(
  "upstream-word",
  {
    "a word of nothing": grant('«"for ever"»'),
    "two names": grant('"as one", «"as two"»'),
    "a source that is none": image('init "process_spawner", "boot_package", «"boot_packages"»'),
    "an export of init's": image('init "process_spawner", "boot_package", «"console exported"»'),
    "started again some day": image('restart «"journal sometimes"»'),
    "started again twice": image('restart "journal always", «"journal never"»'),
    "who is no service": image('restart «"nobody always"»'),
    "the end of nobody": image("exits «nobody»"),
    "a message that rings": image('motd «"a\\u0007"»'),
    "a message with a line of 1001 bytes": image(`motd «"${"é".repeat(500)}x"»`),
    "a message of 4097 bytes": image(`motd «"${`${"x".repeat(999)}\\n`.repeat(4)}${"x".repeat(97)}"»`),
  },
  PROGRAMS,
);

expectRefused(
  "other-target",
  { "a machine": image("«machine» vm"), firmware: image("«firmware» bios"), memory: image("«memory» 1 GiB") },
  PROGRAMS,
);

expectRefused("other-target", {
  "a loader of upstream's, for this runtime": renderFactsPage({
    rest: 'storage { disk "capos-data" }  image { target linux  machine vm  «limine» "boot/limine"  boot operator }',
  }),
});

expectAccepted(
  "words of upstream's",
  {
    "a message of 4096 bytes, in lines": image(`motd "${`${"x".repeat(999)}\\n`.repeat(4)}${"x".repeat(96)}"`),
    "a message with letters of all kinds": image('motd "Grüße\\t!\\n"'),
  },
  PROGRAMS,
);
