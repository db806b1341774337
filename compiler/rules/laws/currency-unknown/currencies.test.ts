import { expect, test } from "vitest";
import { CURRENCIES } from "./currencies.ts";

/** Codes of funds, metals and units of account, which Node.js does not list. */
const UNUSUAL = "BOV CHE CHW CLF COU MXV USN UYI UYW VED XAD XAG XAU XPD XPT XUA".split(" ");

test("all currencies have codes of three letters, and Node.js knows all of them except the rare ones", () => {
  expect([...CURRENCIES].filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
  const runtime = new Set(Intl.supportedValuesOf("currency"));
  expect([...CURRENCIES].filter((code) => !runtime.has(code) && !UNUSUAL.includes(code))).toEqual([]);
  expect(["EUR", "USD", "GBP", "JPY", "CHF", "CNY", "INR"].filter((code) => !CURRENCIES.has(code))).toEqual([]);
  expect(["EUX", "UDS", "XXX", "DEM"].filter((code) => CURRENCIES.has(code))).toEqual([]);
});
