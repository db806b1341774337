// Interprets paths as Claude Code does. Paths in rules are patterns of gitignore: https://code.claude.com/docs/en/permissions.
// Paths of the sandbox are plain paths: https://code.claude.com/docs/en/settings-reference.

import type { FindingText } from "./finding-text.ts";

/**
 * The top-level folders of Linux and macOS. A path that begins with one of these names probably means the folder of the
 * disk, because a project rarely has such a folder beside its settings.
 */
const FIRST_FOLDERS: ReadonlySet<string> = new Set(
  `home Users root etc usr var opt srv mnt media proc sys dev run boot private Volumes Library Applications System tmp sbin lib64`.split(
    " ",
  ),
);

/** Explains a path that does not mean what it seems to mean. Returns `undefined` for any other path. */
export function explainMisreadPath(tool: string, path: string): FindingText | undefined {
  const [, first = ""] = /^\/([^/]+)/.exec(path) ?? [];
  if (FIRST_FOLDERS.has(first))
    return {
      why: `one slash is the folder of the settings: it is about \`${first}\` in there, and not about /${first}`,
      instead: `write ${tool}(/${path})`,
    };
  const [, drive = "", inDrive = ""] = /^([A-Za-z]):[\\/](.*)$/s.exec(path) ?? [];
  if (drive !== "")
    return {
      why: "a drive is no place of a rule: it is a file name that begins with a letter and a colon",
      instead: `write ${tool}(//${drive.toLowerCase()}/${inDrive.replaceAll("\\", "/")})`,
    };
  if (/^file:/i.test(path))
    return { why: "an address is no path: no file has it as its name", instead: `write ${tool}(//PATH)` };
  if (/\$\w|\$\{|%\w+%/.test(path))
    return {
      why: "variables are not replaced: they are letters of the file name",
      instead: `write ${tool}(~/PATH) or ${tool}(//PATH)`,
    };
  if (/^~[^/]/.test(path))
    return { why: "only ~/ is a home: this is a file name that begins with ~", instead: `write ${tool}(~/PATH)` };
  if (hasBraces(path))
    return {
      why: "braces are no choice in patterns of gitignore: they are letters of the file name",
      instead: "write one rule for each",
    };
  if (/\\[^[\]*?!#\\ ]/.test(path))
    return { why: "a backslash takes the next letter as it is: it parts no folders", instead: "write slashes" };
  if (path !== path.trim())
    return { why: "the space is a part of the file name", instead: `write ${tool}(${path.trim()})` };
  return undefined;
}

/** Explains why a path of a rule matches no file. Returns `undefined` if the path may match a file. */
export function explainUnmatchedPath(tool: string, path: string): FindingText | undefined {
  if (path.startsWith("!"))
    return { why: "a pattern that begins with ! takes out of others, and stands alone here", instead: "leave it out" };
  if (path.includes(":*"))
    return {
      why: "`:*` is for commands alone, and this rule is skipped",
      instead: `write ${tool}(${path.replaceAll(":*", "*")})`,
    };
  if (/(^|\/)\.\.(\/|$)/.test(path))
    return {
      why: "a rule is about files below its own folder, and `..` leads out of it",
      instead: `write ${tool}(//PATH) or ${tool}(~/PATH)`,
    };
  return undefined;
}

/** Returns whether the path contains `{a,b}`. Reads the path only once, because a rule may be as long as its file. */
function hasBraces(path: string): boolean {
  return path
    .split("{")
    .slice(1)
    .some((piece) => piece.slice(0, Math.max(0, piece.indexOf("}"))).includes(","));
}

const PROTECTED_FOLDERS = ".cargo .claude .config/git .devcontainer .git .husky .idea .mvn .vscode .yarn".split(" ");
const PROTECTED_FILES =
  `.bash_aliases .bash_login .bash_logout .bash_profile .bashrc .claude.json .envrc .gitconfig .gitmodules .mcp.json .npmrc
.pre-commit-config.yaml .profile .yarnrc .yarnrc.yml .zlogin .zlogout .zprofile .zshenv .zshrc`.split(/\s+/);

/** Files and folders, in every folder, that Claude Code never changes without asking, whatever its rules allow. */
export const PROTECTED: readonly string[] = [...PROTECTED_FOLDERS, ...PROTECTED_FILES];

const joinNames = (names: readonly string[]): string => names.join("|").replaceAll(".", "\\.");
const PROTECTED_PATH = new RegExp(
  `(?:^|/)(?:(?:${joinNames(PROTECTED_FOLDERS)})(?:/|$)|(?:${joinNames(PROTECTED_FILES)})$)`,
);

/**
 * Returns whether Claude Code asks before it changes the path, whatever its rules allow. It does not ask for most files
 * in `.claude/worktrees`, which are its own copies of the project.
 */
export function isProtected(path: string): boolean {
  return PROTECTED_PATH.test(path.replaceAll(".claude/worktrees", "worktrees"));
}

const SECRETS =
  /(?:^|\/)(?:\.ssh|\.aws|\.gnupg|\.kube|\.docker|\.azure|\.netrc|\.pypirc|\.git-credentials|\.env(?:\.[\w*-]+)?|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.json)?|secrets?)(?:\/|$)/;

/** Returns whether a path usually contains keys or passwords. */
export function isSecretPlace(path: string): boolean {
  return SECRETS.test(path);
}

/** Folders with programs or settings of the machine or the person, and all folders that contain these. */
const MACHINE =
  /^(?:\/|~|\/(?:home|Users|root|var|private|Volumes)|\/(?:etc|usr|bin|sbin|lib|lib64|boot|opt|dev|proc|sys|run|Library|System|Applications)(?:\/.*)?|\/(?:var|private)\/(?:etc|lib|run|spool)(?:\/.*)?|~\/(?:bin|\.local|\.config|\.ssh|\.bash\w*|\.zsh\w*|\.profile|\.claude|Library)(?:\/.*)?)$/;

/**
 * Returns whether the folder contains programs or settings of the machine or of the person. `place` is a result of
 * `normalizeFolder`.
 */
export function isMachinePlace(place: string): boolean {
  const [, , home, ...inHome] = place.split("/");
  const isHome = /^\/(?:home|Users)\//.test(place) && home !== undefined;
  return MACHINE.test(isHome ? ["~", ...inHome].join("/") : place);
}

/** Returns a path of the sandbox in its shortest form: `//etc/**` and `/etc/` become `/etc`. */
export function normalizeFolder(path: string): string {
  const names = path.trim().split("/");
  while (names.length > 1 && /^\**$/.test(names.at(-1) ?? "")) names.pop();
  const [first = "", ...rest] = names;
  if (first !== "") return /^\*+$/.test(first) ? "/" : names.join("/");
  return `/${rest.filter((name) => name !== "").join("/")}`;
}
