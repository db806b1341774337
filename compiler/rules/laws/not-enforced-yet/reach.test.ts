import { expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

// A service of the network's own interfaces states in its grant which hosts the network process may call for it. A program of the page
// cannot call any host directly.

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
