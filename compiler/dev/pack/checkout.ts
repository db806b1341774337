// make setup: bundles the command line of the checkout.

import { fileURLToPath } from "node:url";
import { bundleBeside } from "./checkout-bundle.ts";

await bundleBeside(fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, ""));
