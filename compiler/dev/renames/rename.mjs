// Renames functions and methods, with every use of theirs: node rename.mjs CHECKOUT names.json. Needs typescript 5.9, whose language
// service finds the uses; install it in a folder of its own and run this file from there.
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";

const [root, mapFile] = process.argv.slice(2);
const R = path.resolve(root);
const cfg = ts.readConfigFile(path.join(R, "tsconfig.json"), ts.sys.readFile).config;
const parsed = ts.parseJsonConfigFileContent(cfg, ts.sys, R);
parsed.options.noEmit = true;
const names = parsed.fileNames;
const text = new Map(),
  ver = new Map();
const host = {
  getScriptFileNames: () => names,
  getScriptVersion: (f) => String(ver.get(f) ?? 0),
  getScriptSnapshot: (f) => {
    let t = text.get(f);
    if (t === undefined) {
      if (!fs.existsSync(f)) return;
      t = fs.readFileSync(f, "utf8");
      text.set(f, t);
    }
    return ts.ScriptSnapshot.fromString(t);
  },
  getCurrentDirectory: () => R,
  getCompilationSettings: () => parsed.options,
  getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
};
const svc = ts.createLanguageService(host, ts.createDocumentRegistry());
const map = Object.entries(JSON.parse(fs.readFileSync(mapFile, "utf8"))).flatMap(([p, names]) =>
  Object.entries(names).map(([from, to]) => ({ path: p, from, to })),
);
const edits = new Map();
const problems = [];
let done = 0;
const declared = (sf, name) => {
  const out = [];
  const visit = (n) => {
    const id = n.name;
    if (
      id &&
      ts.isIdentifier(id) &&
      id.text === name &&
      (ts.isFunctionDeclaration(n) ||
        ts.isMethodDeclaration(n) ||
        ts.isVariableDeclaration(n) ||
        ts.isMethodSignature(n) ||
        ts.isPropertySignature(n) ||
        ts.isPropertyDeclaration(n) ||
        ts.isPropertyAssignment(n) ||
        ts.isParameter(n) ||
        ts.isShorthandPropertyAssignment(n))
    )
      out.push(id);
    else if (id && ts.isPrivateIdentifier(id) && id.text === `#${name.replace(/^#/, "")}`) out.push(id);
    ts.forEachChild(n, visit);
  };
  visit(sf);
  return out;
};
const program = svc.getProgram();
const tokenAt = (sf, pos) => {
  let found;
  const v = (n) => {
    if (n.getStart(sf) <= pos && pos < n.end) {
      found = n;
      ts.forEachChild(n, v);
    }
  };
  v(sf);
  return found;
};
const shorthand = (l) => {
  const sf = program.getSourceFile(l.fileName);
  const n = tokenAt(sf, l.textSpan.start);
  return n?.parent && ts.isShorthandPropertyAssignment(n.parent) && !isPropertyRename;
};
let isPropertyRename = false;
for (const { path: p, from, to } of map) {
  const f = path.join(R, p);
  const sf = program.getSourceFile(f);
  if (!sf) {
    problems.push(`${p}: not in the program`);
    continue;
  }
  const ids = declared(sf, from).filter((id) => {
    const d = id.parent;
    return (
      ts.isFunctionDeclaration(d) ||
      ts.isMethodDeclaration(d) ||
      ts.isMethodSignature(d) ||
      ((ts.isVariableDeclaration(d) || ts.isPropertyDeclaration(d) || ts.isPropertyAssignment(d)) &&
        d.initializer &&
        (ts.isArrowFunction(d.initializer) || ts.isFunctionExpression(d.initializer)))
    );
  });
  if (!ids.length) {
    problems.push(`${p}: no function ${from}`);
    continue;
  }
  const seen = new Set();
  for (const id of ids) {
    const isPrivate = ts.isPrivateIdentifier(id);
    isPropertyRename = !(ts.isFunctionDeclaration(id.parent) || ts.isVariableDeclaration(id.parent));
    const key = id.getStart(sf);
    if (seen.has(key)) continue;
    const locs = svc.findRenameLocations(f, key, false, false, { providePrefixAndSuffixTextForRename: false });
    if (!locs) {
      problems.push(`${p}: ${from} cannot be renamed`);
      continue;
    }
    if (locs.some((l) => !l.fileName.startsWith(R) || l.fileName.includes("/node_modules/"))) {
      problems.push(`${p}: ${from} is declared by a library`);
      continue;
    }
    for (const l of locs) {
      if (l.fileName === f) seen.add(l.textSpan.start);
      const m = edits.get(l.fileName) ?? edits.set(l.fileName, new Map()).get(l.fileName);
      const e = {
        start: l.textSpan.start,
        len: l.textSpan.length,
        text: shorthand(l) ? `${from}: ${to}` : isPrivate ? `#${to.replace(/^#/, "")}` : to,
      };
      const old = m.get(e.start);
      if (old && old.text !== e.text) {
        problems.push(`${p}: ${from} → ${to} collides with another rename at ${path.relative(R, l.fileName)}`);
      } else m.set(e.start, e);
    }
    done++;
  }
}
for (const [f, m] of edits) {
  let t = fs.readFileSync(f, "utf8");
  for (const e of [...m.values()].sort((a, b) => b.start - a.start))
    t = t.slice(0, e.start) + e.text + t.slice(e.start + e.len);
  fs.writeFileSync(f, t);
}
console.log(`${done} renamed in ${edits.size} files`);
for (const p of problems) console.log("PROBLEM", p);
