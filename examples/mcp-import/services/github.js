// The service `gh` of the page. The image has no network yet: this program answers from a small mirror of one repository,
// and keeps what was written in its directory. Arguments were checked against github.tools.json before a function is called.

import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const MIRROR = {
  files: { "README.md": "# lab\n\nTools of the lab.\n", "src/main.js": "console.log('hello');\n" },
  issues: [
    { title: "The pager is silent", state: "open", body: "Since Monday.", labels: ["bug"], comments: [] },
    { title: "Typo", state: "closed", body: "", labels: [], comments: ["Done."] },
  ],
};

async function read(directory) {
  try {
    return JSON.parse(await readFile(join(directory, "mirror.json"), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return structuredClone(MIRROR);
    throw new Error("the mirror cannot be read");
  }
}

/** Beside the old one first: a crash leaves one of the two, whole. */
async function write(directory, mirror) {
  await writeFile(join(directory, "mirror.next"), JSON.stringify(mirror), { flush: true });
  await rename(join(directory, "mirror.next"), join(directory, "mirror.json"));
}

/** One change after the other: calls may come at the same time. What `change` gives is the answer. */
let last = Promise.resolve();
function inTurn(directory, change) {
  const done = last.then(async () => {
    const mirror = await read(directory);
    const answer = change(mirror);
    await write(directory, mirror);
    return answer;
  });
  last = done.catch(() => {});
  return done;
}

function repository({ owner, repo }) {
  if (owner !== "lab" || repo !== "tools") throw new Error(`${owner}/${repo} is not mirrored here`);
}

function issueIn({ issues }, number) {
  const issue = issues[number - 1];
  if (issue === undefined) throw new Error(`there is no issue ${number}`);
  return issue;
}

export default {
  async get_issue({ issue_number, ...where }, { directory }) {
    repository(where);
    const { title, state, body, comments } = issueIn(await read(directory), issue_number);
    return { title, state, body, comments: comments.length };
  },

  async list_issues({ state = "open", labels = [], perPage = 30, ...where }, { directory }) {
    repository(where);
    const { issues } = await read(directory);
    const wanted = issues.filter((issue) => state === "all" || issue.state === state);
    const labelled = wanted.filter((issue) => labels.every((label) => issue.labels.includes(label)));
    return { text: labelled.slice(0, Math.trunc(perPage)).map(({ title }) => title).join("\n") };
  },

  async search_code({ q }, { directory }) {
    const { files } = await read(directory);
    return { text: Object.keys(files).filter((path) => files[path].includes(q)).join("\n") };
  },

  async get_file_contents({ path, ...where }, { directory }) {
    repository(where);
    const { files } = await read(directory);
    if (!Object.hasOwn(files, path)) throw new Error(`there is no file ${path}`);
    return { text: files[path] };
  },

  async create_issue({ title, body = "", ...where }, { directory }) {
    repository(where);
    return inTurn(directory, ({ issues }) => {
      issues.push({ title, state: "open", body, labels: [], comments: [] });
      return { text: `created issue ${issues.length}` };
    });
  },

  async add_issue_comment({ issue_number, body, ...where }, { directory }) {
    repository(where);
    return inTurn(directory, (mirror) => {
      issueIn(mirror, issue_number).comments.push(body);
      return { text: "commented" };
    });
  },

  async merge_pull_request() {
    throw new Error("pull requests are not mirrored here");
  },
};
