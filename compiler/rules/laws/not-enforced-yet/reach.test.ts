import { expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

// A grant of the network's own interface states which servers the network process may contact; a program of the page contacts none
// by itself.

expectRefused(
  "not-enforced-yet",
  {
    "a grant of the network's interface to a program that serves it": renderFactsPage({
      services: `service near : HttpEndpoint { exec "near.js"  «grant HttpEndpoint scope "https://a.example"» }`,
      permit: "consent outboundNet",
      rest: "network { address dhcp }  image { target linux  machine vm  boot operator }",
    }),
  },
  { "/near.js": "export default {};" },
);
