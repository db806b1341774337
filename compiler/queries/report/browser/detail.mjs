// Shows the reasons for the decision of a cell as text beside the matrix. The compiler wrote the sentences into the report.

const grid = document.getElementById("grid");
const panel = document.getElementById("detail");
const { file, rules, texts, checks, reasons, lines, tools, places } = JSON.parse(
  document.getElementById("data").textContent,
);
const part = (selector) => panel.querySelector(selector);
let opener = null;

/** An element that contains only this text. */
function made(name, words, kind = "") {
  const element = document.createElement(name);
  element.textContent = words;
  if (kind !== "") element.className = kind;
  return element;
}

function checkLine(number) {
  const [name, verdict, ...words] = checks[number];
  const line = made("tr", "", texts[verdict] === "not asked" ? "notAsked" : texts[verdict]);
  const told = made("td", "");
  told.append(...words.map((word) => made("div", texts[word])));
  const head = made("th", texts[name]);
  head.scope = "row";
  line.append(head, made("td", texts[verdict]), told);
  return line;
}

function tellRule(number) {
  const rule = rules[number];
  part(".line").hidden = rule === undefined;
  if (rule === undefined) return;
  const link = part(".line a");
  link.textContent = rule.place.text;
  if (rule.place.href === null) link.removeAttribute("href");
  else link.setAttribute("href", rule.place.href);
  const line = rule.place.href === null ? null : document.getElementById(rule.place.href.slice(1));
  const said = [...(line?.childNodes ?? [])].slice(1).map((node) => node.textContent);
  part(".line pre").textContent = said.length === 0 ? rule.words : said.join("").trim();
}

/** Shows the facts about a tool, in the same form as in the table of tools. */
function tellTool(index) {
  const heads = document.querySelectorAll("#tools thead th");
  const told = document.getElementById(`t-${index}`)?.cells ?? [];
  const parts = [...told].slice(1).flatMap((cell, at) => {
    const value = made("dd", "");
    const lines = cell.children.length === 0 ? [cell.textContent] : [...cell.children].map((one) => one.textContent);
    value.append(...lines.map((words) => made("div", words)));
    return lines.join("") === "" ? [] : [made("dt", heads[at + 1].textContent), value];
  });
  part("dl").replaceChildren(...parts);
}

/** Quotes a text for a shell: the name of an untrusted page is one word, and no part of it runs. */
function shellWord(name) {
  return /^\w[\w.-]*$/.test(name) ? name : `'${(name.startsWith("-") ? `./${name}` : name).replaceAll("'", `'\\''`)}'`;
}

function tell(cell) {
  const line = cell.closest("tr");
  const [tool, place] = [Number(line.dataset.t), cell.cellIndex - 1];
  const [answer, reason, asked, rule, ...verdicts] = reasons[lines[tools[tool]][place]];
  const name = line.querySelector("th a").textContent;
  const column = grid.tHead.rows[0].cells[cell.cellIndex];
  const at = [...column.children].map((one) => one.textContent).join(".");
  part("h3").textContent = `${name} in ${at}`;
  part(".answer b").textContent = texts[answer];
  part(".answer b").className = ["auto", "consent", "stepUp"].includes(texts[answer]) ? texts[answer] : "forbidden";
  part(".answer span").textContent = texts[reason];
  part(".asked code").textContent = texts[asked];
  part(".checks tbody").replaceChildren(...verdicts.map(checkLine));
  tellRule(rule);
  tellTool(tool);
  part(".why").hidden = places[place] === null;
  part(".why code").textContent = `capc why ${shellWord(file)} '${places[place]} ${name}'`;
}

function show(link) {
  opener?.closest("td").removeAttribute("data-open");
  opener = link;
  const cell = link.closest("td");
  cell.dataset.open = "";
  tell(cell);
  panel.hidden = false;
}

function close() {
  if (panel.hidden) return;
  panel.hidden = true;
  opener?.closest("td").removeAttribute("data-open");
  opener?.focus();
}

grid.addEventListener("click", (event) => {
  const link = event.target.closest("td a");
  if (link === null) return;
  event.preventDefault();
  show(link);
  part("h3").focus({ preventScroll: true });
});
grid.addEventListener("focusin", (event) => {
  const link = event.target.closest("td a");
  if (link !== null && !panel.hidden) show(link);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
});
document.getElementById("close").addEventListener("click", close);
