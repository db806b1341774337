import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const web = (origin: string) =>
  renderFactsPage({
    services: "service web : Fetch {}",
    permit: `consent Fetch.get where ${origin} else forbidden`,
    rest: "image { target linux  machine vm  boot operator }",
  });

expectRefused("where-wrong-type", {
  "a wildcard for hosts": web('«origin(url) in ["https://*.example.com"]»'),
  "a wildcard among hosts": web('«origin(url) in ["https://a.example", "https://*"]»'),
});

expectAccepted("where-wrong-type, kept", {
  "hosts with their names": web('origin(url) in ["https://a.example", "https://b.example:8443"]'),
});
