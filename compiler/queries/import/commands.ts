// Finds authority that a rule gives beyond the command that it names: `npm run` can run any program, `curl` can send
// data to any server, and `rm` can delete any file.

import { splitWords } from "./names.ts";

/** Programs that run commands from their arguments, or start other programs. */
const RUNNERS: ReadonlySet<string> =
  splitWords(`sudo doas su env xargs awk gawk sed sh bash zsh fish dash ksh pwsh powershell cmd node deno bun npx
bunx uvx pipx tsx ts-node perl ruby php lua Rscript osascript ssh docker podman kubectl nsenter chroot eval exec source . trap parallel
time timeout nice nohup stdbuf command builtin noglob direnv devbox mise asdf nix nix-shell tmux screen script expect vi vim nvim emacs
ed man gdb strace make gmake cmake ninja just rake tox nox ansible ansible-playbook terraform vagrant busybox toybox systemd-run
unshare setpriv bwrap firejail valgrind ltrace perf entr gradle gradlew mvn mvnw ant sbt bazel meson task mage tar zip pytest py.test jest vitest
mocha rspec phpunit pre-commit`);

/** Programs that run other commands if one of the listed words follows the program's name, such as `npm exec`. */
const RUNNING: Readonly<Record<string, readonly string[]>> = {
  uv: ["run", "tool", "x", "pip", "add", "sync"],
  poetry: ["run"],
  pdm: ["run"],
  hatch: ["run"],
  rye: ["run"],
  pipenv: ["run"],
  conda: ["run"],
  mamba: ["run"],
  // The installation of a package can run commands of the package, so words such as `install` are listed, too.
  npm: ["run", "exec", "x", "run-script", "explore", "install", "i", "add", "ci", "rebuild"],
  pnpm: ["run", "exec", "dlx", "x", "install", "i", "add", "rebuild"],
  yarn: ["run", "exec", "dlx", "install", "add"],
  pip: ["install", "download", "wheel"],
  pip3: ["install", "download", "wheel"],
  gem: ["install"],
  cargo: ["run", "install"],
  go: ["run", "generate", "tool"],
  dotnet: ["run", "exec", "script"],
  bundle: ["exec", "install"],
  composer: ["exec", "run-script", "install", "update", "require"],
  // Options of git can define an alias or a helper, which runs another command.
  git: [
    "-c",
    "--exec-path",
    "--config-env",
    "config",
    "bisect",
    "rebase",
    "submodule",
    "difftool",
    "mergetool",
    "filter-branch",
    "fetch",
    "pull",
    "clone",
    "ls-remote",
    "grep",
  ],
};

const SENDERS: ReadonlySet<string> =
  splitWords(`curl wget http https xh nc ncat netcat socat scp rsync sftp ftp lftp telnet gh glab aws gcloud
gsutil az rclone s3cmd mail sendmail dig nslookup host openssl heroku vercel netlify flyctl`);
const SENDING: Readonly<Record<string, readonly string[]>> = {
  git: ["push", "remote", "send-email", "request-pull"],
  npm: ["publish"],
  pnpm: ["publish"],
  yarn: ["publish"],
  cargo: ["publish"],
};

const CHANGERS: ReadonlySet<string> = splitWords(
  `rm rmdir shred truncate dd mkfs tee ln mv cp install chmod chown chgrp crontab at systemctl launchctl kill pkill killall`,
);

/** Programs that run their standard input if they have no arguments. */
const READERS =
  /^(?:sh|bash|zsh|fish|dash|ksh|pwsh|node|deno|bun|python[\d.]*|perl|ruby|php|lua|xargs|parallel)(?: -s?)?$/;

/**
 * Returns the authority that a rule gives beyond the command that it seems to allow, or `undefined` if it gives none.
 * `command` is the text that `getCommand` returns.
 */
export function findExtraAuthority(command: string): { readonly why: string; readonly instead: string } | undefined {
  const words = splitCommand(command);
  if (!command.includes("*"))
    return READERS.test(words.join(" "))
      ? { why: "what is piped into it runs unasked", instead: "name the file that it runs" }
      : undefined;
  const [program = "", second = "*"] = words;
  const isListed = (listed: readonly string[] | undefined): boolean =>
    listed !== undefined && (second === "*" || listed.includes(second));
  if (RUNNERS.has(program) || /^python[\d.]*$/.test(program) || isRunning(words))
    return { why: "what it is given to run runs unasked as well", instead: "name the whole command" };
  if (SENDERS.has(program) || isListed(SENDING[program]))
    return { why: "it sends anything anywhere unasked", instead: "ask, or use WebFetch(domain:HOST)" };
  if (CHANGERS.has(program))
    return {
      why: "it changes or destroys whatever it is given, wherever that is",
      instead: "ask, or name the whole command",
    };
  return undefined;
}

/**
 * Returns whether a command such as `npm run *` leaves open which program it runs. `npm run test *` does not leave it
 * open. Options, such as options of git, can also start programs.
 */
function isRunning(words: readonly string[]): boolean {
  const [program = "", ...rest] = words;
  const listed = RUNNING[program];
  if (listed === undefined) return false;
  const [first = "*", after = "*"] = program === "git" ? stripFolder(rest) : rest;
  if (first === "*") return true;
  return listed.includes(first) && (after === "*" || program === "git");
}

/** Returns the words of a git command without a leading `-C FOLDER`. */
function stripFolder(words: readonly string[]): readonly string[] {
  return words[0] === "-C" ? words.slice(2) : words;
}

/** Returns the words of a command. Assignments before the command and the folder of its program are left out. */
function splitCommand(command: string): readonly string[] {
  const words = command.trim().split(/\s+/);
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  const [program = "", ...rest] = start === -1 ? words : words.slice(start);
  return [program.slice(program.lastIndexOf("/") + 1), ...rest];
}
