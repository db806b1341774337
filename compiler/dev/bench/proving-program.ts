// Measures the CPU seconds of the laws and the proofs of one page, in one run, and the peak memory of the process. The
// argument is the page.

import { isError } from "../../../lang/diagnostics/index.ts";
import { bind } from "../../phases/bind/index.ts";
import { IMAGE_PROVIDERS, lower, resolveSessions } from "../../phases/policy/index.ts";
import { prove } from "../../phases/prove/index.ts";
import { checkPinnedImports, reflectStandard } from "../../phases/reflect/index.ts";
import { createDiskHost, load } from "../../phases/source/index.ts";
import { check, notEnforcedYet } from "../../rules/index.ts";

const host = createDiskHost();
const { package: page, diagnostics } = await load(host, process.argv[2] ?? "");
const imports = await checkPinnedImports(page);
const { model, diagnostics: unbound } = bind(page, reflectStandard(), imports);
const wrong = [...diagnostics, ...unbound].filter(isError);
if (wrong.length > 0) throw new Error(`${wrong[0]?.code}: ${wrong[0]?.message}`);
const resolution = resolveSessions(model);
const before = process.threadCpuUsage();
const found = check({ model, resolution, trees: page.pages, provided: IMAGE_PROVIDERS, today: host.today });
const checked = process.threadCpuUsage(before);
const { policy } = lower({ model, resolution, provided: IMAGE_PROVIDERS });
const lowered = process.threadCpuUsage();
const { results, mergedLabels } = prove(policy, model);
const proved = process.threadCpuUsage(lowered);
const failed = results.find(({ verdict }) => verdict.kind !== "proved");
// Features that the image does not support yet prevent a build, but not a check.
const [error] = found.filter((one) => isError(one) && one.code !== notEnforcedYet.code);
if (error !== undefined) throw new Error(`${error.code}: ${error.message}`);
if (failed !== undefined) throw new Error(`${failed.words} is ${failed.verdict.kind}`);
const seconds = (checked.user + checked.system + proved.user + proved.system) / 1e6;
const cells = policy.tables.rows.length * policy.tables.tools.length;
const mebibytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ seconds, mebibytes, cells, labels: mergedLabels }));
