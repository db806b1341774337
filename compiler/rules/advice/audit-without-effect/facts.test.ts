import { expectAdvised, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const DISK = 'storage { disk "capos-data" }';
const IMAGE = "image { target linux  machine vm  boot operator }";
const page = (label: string, limit: string, rest = DISK, starts = "public") =>
  renderFactsPage({
    top: "compartments { hr }",
    services: `service notes : Files { state 1 MiB  label ${label} }`,
    sessions: `session operator { kind operator  clearance secret:{hr}  starts ${starts}  models { auto canned }  permit { auto readOnly } }`,
    backends: "backend canned { stub  clearance secret:{hr} }",
    rest: `${rest}  ${IMAGE}  audit { digests above ${limit} }`,
  });

const DISKLESS = renderFactsPage({
  services: "service web : Fetch { label secret }",
  sessions: "session operator { kind operator  models { auto canned }  permit { auto web.* } }",
  rest: `${IMAGE}  audit { digests above «public» }`,
});

expectAdvised("audit-without-effect", {
  "the highest label": page("secret:{hr}", "«secret:{hr}»"),
  "a level that no result exceeds": page("internal", "«internal»"),
  "a result with a higher level": page("internal", "public"),
  "a result with another compartment": page("public:{hr}", "secret"),
  "the highest level, without a compartment that no result has": page("secret", "«secret»"),
  "a session that starts above the limit": page("public", "public", DISK, "internal"),
  "no data disk": DISKLESS,
  "no data disk for records that are kept": DISKLESS.replace(
    "audit { digests above «public» }",
    "«audit { keep until exported }»",
  ),
});
