import { expect, test } from "vitest";
import { AnyCancel, type Cancel, Canceller } from "./cancel.ts";

test("a listener runs once, and not after its removal", () => {
  const canceller = new Canceller();
  const heard: string[] = [];
  const gone = () => heard.push("gone");
  canceller.addEventListener("abort", () => heard.push("one"));
  canceller.addEventListener("abort", gone);
  canceller.removeEventListener("abort", gone);
  canceller.abort();
  canceller.abort();
  expect(canceller.aborted).toBe(true);
  expect(heard).toEqual(["one"]);
});

test("a listener does not run if it was removed during the event or added after it, as with an AbortSignal", () => {
  for (const [cancel, give] of [cancelling(new Canceller()), cancelling(new AbortController())]) {
    const heard: string[] = [];
    const gone = () => heard.push("gone");
    const late = () => heard.push("late");
    cancel.addEventListener("abort", () => {
      heard.push("one");
      cancel.removeEventListener("abort", gone);
      cancel.addEventListener("abort", late);
    });
    cancel.addEventListener("abort", gone);
    give();
    cancel.addEventListener("abort", late);
    give();
    expect(heard).toEqual(["one"]);
  }
});

function cancelling(by: Canceller | AbortController): [cancel: Cancel, give: () => void] {
  return [by instanceof Canceller ? by : by.signal, () => by.abort()];
}

test("any of several signals, including an AbortSignal, fires the combined signal", () => {
  const controller = new AbortController();
  const canceller = new Canceller();
  for (const [give, all] of [
    [() => controller.abort(), [new Canceller(), controller.signal]],
    [() => canceller.abort(), [canceller, new AbortController().signal]],
  ] as const satisfies readonly (readonly [() => void, readonly Cancel[]])[]) {
    const any = new AnyCancel(all);
    let heard = 0;
    any.addEventListener("abort", () => {
      heard += 1;
    });
    const silent = () => expect.unreachable();
    any.addEventListener("abort", silent);
    any.removeEventListener("abort", silent);
    expect(any.aborted).toBe(false);
    give();
    expect([any.aborted, heard]).toEqual([true, 1]);
  }
});
