import { expectAdvised, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const under = (folder: string) =>
  renderFactsPage({ permit: `auto readOnly  forbidden Files.write where path under ${folder} else auto` });

expectAdvised("folder-misread", {
  "a wildcard": under('«"/lo*"»'),
  "a wildcard of one letter": under('«"/locke?"»'),
  "all below": under('«"/locked/**"»'),
  "a choice of letters": under('«"/[Ll]ocked"»'),
  braces: under('«"/{locked,shut}"»'),
  "a percent sign": under('«"/%6cocked"»'),
  "a space after a name": under('«"/locked /a"»'),
  "a non-breaking space": under('«"/locked\u00a0"»'),
  "a backslash": under(String.raw`«"/locked\\a"»`),
  "a variable": under('«"/$HOME/a"»'),
  "a home": under('«"/~/a"»'),
  "a word with letters of two alphabets": under('«"/l\u043ecked"»'),
  "full-width letters": under('«"/\uff4cocked"»'),
  "a letter and its accent as two characters": under('«"/cafe\u0301"»'),
  "every path": under('«"/"»'),
  "a folder in a task": renderFactsPage({
    rest: `task t in operator { permit { forbidden Files.write where path under «"/lo*"» else consent } }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});

expectAdvised("folder-misread", {
  "a plain folder": under('"/locked"'),
  "a subfolder with a trailing slash": under('"/locked/deeper/"'),
  "spaces within a name": under('"/my files"'),
  "another alphabet": under('"/\u0434\u043e\u043a\u0443\u043c\u0435\u043d\u0442\u044b"'),
  "words of different alphabets in one path": under('"/\u043e\u0442\u0447\u0451\u0442-PDF"'),
  "a single percent sign": under('"/100%"'),
  "an accent": under('"/caf\u00e9"'),
});
