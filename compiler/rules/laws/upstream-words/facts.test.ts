import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { PROGRAMS, upstreamPage } from "../../../dev/fixtures/upstream.ts";

const image = (image: string) => upstreamPage({ image });
const grant = (words: string) =>
  upstreamPage({ services: `service journal : Logs { exec "journal"  grant kernel.timer scope ${words} }` });

expectRefused(
  "upstream-word",
  {
    "an unknown word": [grant('«"for ever"»'), "`for ever` is not a valid word: it is none of `as NAME`"],
    "two names": grant('"as one", «"as two"»'),
    "an unknown source": [
      image('init "process_spawner", "boot_package", «"boot_packages"»'),
      "`boot_packages` is not a valid word: upstream's kernel hands out nothing that is called `boot_packages`",
    ],
    "an export of init": image('init "process_spawner", "boot_package", «"console exported"»'),
    "an unknown restart policy": [
      image('restart «"journal sometimes"»'),
      "`journal sometimes` is not a valid word: a service can be restarted never, on-failure, always",
    ],
    "two restart policies for one service": [
      image('restart "journal always", «"journal never"»'),
      "the page has it already",
    ],
    "a restart policy for an unknown service": [
      image('restart «"nobody always"»'),
      "it is not a service with a static program",
    ],
    "a service without a program": upstreamPage({
      services: 'service journal : Logs { exec "journal" }  service clock : Clock {}',
      image: 'restart «"clock always"»  exits «clock»',
    }),
    "`exits` with an unknown service": [
      image("exits «nobody»"),
      "`nobody` is not a valid word: it is not a service with a static program",
    ],
    "a message with a control character": [
      image('motd «"a\\u0007"»'),
      "`motd` is not a valid word: upstream shows only printable text, tabs and new lines",
    ],
    "a message with a line of 1001 bytes": [
      image(`motd «"${"é".repeat(500)}x"»`),
      "a line of it has at most 1000 bytes",
    ],
    "a message whose last line is too long": image(`motd «"short\\n${"x".repeat(1001)}"»`),
    "a message of 4097 bytes": [
      image(`motd «"${`${"x".repeat(999)}\\n`.repeat(4)}${"x".repeat(97)}"»`),
      "a message has at most 4096 bytes",
    ],
  },
  PROGRAMS,
);

expectRefused(
  "other-target",
  { "a machine": image("«machine» vm"), firmware: image("«firmware» bios"), memory: image("«memory» 1 GiB") },
  PROGRAMS,
);

expectRefused("other-target", {
  "an upstream loader for the Linux target": renderFactsPage({
    rest: 'storage { disk "capos-data" }  image { target linux  machine vm  «limine» "boot/limine"  boot operator }',
  }),
});

expectRefused("other-target", {
  "a grant of the kernel, beside one of a service": [
    renderFactsPage({
      services: "service clock : Clock {}  service journal : Logs { grant clock  grant «kernel.timer» }",
      permit: "auto readOnly",
      rest: "image { target linux  machine vm  boot operator }",
    }),
    "a grant of the kernel's has no meaning for `target linux`",
  ],
});

const OF_NO_TARGET = "image { machine vm  limine boot  boot operator }";

expectUnsaid("other-target", {
  "a page without a target": renderFactsPage({ rest: OF_NO_TARGET }),
  "on a page without an image": renderFactsPage({ rest: "sto" }),
  "a page with a syntax error": renderFactsPage({
    rest: `image { target linux  machine vm  limine "boot/limine"  boot operator }  sto`,
  }),
});

expectAccepted(
  "upstream-word, kept",
  {
    "a message with a line of 1000 bytes": image(`motd "${"é".repeat(500)}"`),
    "no message": image(""),
    "a message of 4096 bytes in several lines": image(`motd "${`${"x".repeat(999)}\\n`.repeat(4)}${"x".repeat(96)}"`),
    "a message with letters of several alphabets": image('motd "Grüße\\t!\\n"'),
  },
  PROGRAMS,
);
