// make setup: the command line of the checkout, bundled.

import { fileURLToPath } from "node:url";
import { bundleBeside } from "./checkout-bundle.ts";

await bundleBeside(fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, ""));
