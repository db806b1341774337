import { expectAdvised, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const BOOK = `session book { kind anonymous  models { auto canned }  permit { auto readOnly  auto notes.write } }
  session later extends book { }
  session operator { kind operator  models { auto canned }  permit { auto readOnly } }`;
const waived = (...lines: readonly string[]) => renderFactsPage({ sessions: BOOK, rest: `${lines.join(" ")} ${END}` });
const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const because = 'because "CHG-1: it is looked at"';

expectAdvised("waiver-unused", {
  "an assertion that is proved of all sessions": waived(`waive anonymous-asks ${because}  «waive trifecta ${because}»`),
  "an assertion that does not apply to the session": waived(
    `waive anonymous-asks ${because}  «waive guest-local for operator ${because}»`,
  ),
  "an assertion that another waiver takes back": waived(
    `waive anonymous-asks ${because}  «waive anonymous-asks for book ${because}»`,
  ),
  "a waiver that the extended session already has": waived(
    `waive anonymous-asks for book ${because}  «waive anonymous-asks for later ${because}»`,
  ),
});

expectAdvised("waiver-unused", {
  "an assertion that would be refuted": waived(`waive anonymous-asks for book ${because}`),
  "an assertion that depends on the image": waived(`waive anonymous-asks ${because}  waive audited ${because}`),
});
