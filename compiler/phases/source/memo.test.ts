import { expect, test } from "vitest";
import { Memo } from "./index.ts";

test("a value is computed once for each name and equal input, and bytes are compared by content", async () => {
  const memo = new Memo<number>();
  let made = 0;
  const make = async (): Promise<number> => ++made;
  const bytes = (): Uint8Array => Uint8Array.of(1, 2);
  expect([await memo.remember("a", bytes(), make), await memo.remember("a", bytes(), make)]).toEqual([1, 1]);
  expect(await memo.remember("b", bytes(), make)).toBe(2);
  expect(await memo.remember("a", Uint8Array.of(1, 3), make)).toBe(3);
  expect(await memo.remember("a", bytes(), make)).toBe(4);
});

test("`forget` drops entries that were not used since the previous `forget`, and a failed computation is repeated", async () => {
  const memo = new Memo<number>();
  let made = 0;
  const make = async (): Promise<number> => ++made;
  await memo.remember("a", "x", make);
  memo.forget();
  await memo.remember("b", "x", make);
  memo.forget();
  expect(await memo.remember("a", "x", make)).toBe(3);
  const broken = memo.remember("c", "x", async () => {
    throw new Error("no");
  });
  await expect(broken).rejects.toThrow("no");
  expect(await memo.remember("c", "x", make)).toBe(4);
});
