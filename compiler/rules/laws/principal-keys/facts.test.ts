import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const people = (top: string) => renderFactsPage({ top });
const KEY = 'ssh "keys/alice.pub"';

expectRefused("principal-without-key", {
  "a principal without a proof": [people("principal «alice» {}"), "the principal `alice` has no key and no passphrase"],
  "an unnamed proof beside a named one": people(`principal «alice» { ${KEY}  passphrase "" }`),
});

expectRefused("key-shared", {
  "a key, once for each further principal": [
    people(`principal alice { ${KEY} }  principal bob { «${KEY}» }  principal carol { «${KEY}» }`),
    "`bob` has the same key or passphrase as `alice`",
    "`carol` has the same key or passphrase as `alice`",
  ],
  "a passphrase": [
    people('principal alice { passphrase "spoken" }  principal bob { «passphrase "spoken"» }'),
    "`bob` has the same key or passphrase as `alice`",
  ],
});

expectAccepted("key-shared, principal-without-key, kept", {
  "a passphrase and a key with one name": people(
    'principal alice { ssh "keys/alice.pub" }  principal bob { passphrase "keys/alice.pub" }',
  ),
  "two passphrases": people('principal alice { passphrase "spoken" }  principal bob { passphrase "written" }'),
  "one key twice for one principal": people(`principal alice { ${KEY}  ${KEY} }`),
});

expectUnsaid("principal-without-key", {
  "a proof with a syntax error": people("principal alice { ssh }"),
});
