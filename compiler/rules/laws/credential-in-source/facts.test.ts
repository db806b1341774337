import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

// The credential is put together here, so that a program that searches this checkout for secrets does not find one.
const RANDOM = ["aB3dE5fG7hJ9kL1m", "N3pQ5rS7tU9vW1xY3zA5"].join("");
const TOKEN = ["ghp_", RANDOM].join("");
const DIGEST = ["0123456789abcdef0123", "456789abcdef01234567"].join("");
const REASON = (reason: string) => renderFactsPage({ permit: `auto readOnly because "${reason}"` });

expectRefused("credential-in-source", {
  "a credential of a known provider, reported once": REASON(`it was «${TOKEN}» before`),
  "a credential of a known provider before random characters": REASON(`«${TOKEN}» and «${RANDOM}»`),
  "random characters before a credential of a known provider": REASON(`«${RANDOM}» and «${TOKEN}»`),
  "a digest at a place that does not take one": renderFactsPage({
    permit: `auto readOnly  consent Files.write where path under "/«${DIGEST}»" else forbidden`,
  }),
});

expectAccepted("credential-in-source, kept", {
  "a digest in a reason": REASON(`as of ${DIGEST}`),
});
