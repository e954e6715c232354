import { afterEach, expect, test, vi } from "vitest";
import { openToast, TOAST_MS, toast } from "./toast.ts";

afterEach(() => vi.useRealTimers());

test("a toast is shown for 5000 ms, alone, and stays in memory for 1,000,000 ms after it was dismissed", () => {
  vi.useFakeTimers();
  expect(TOAST_MS).toBe(5000);
  toast({ title: "Первое" });
  const { dismiss } = toast({ title: "Второе" });
  expect(openToast()?.title).toBe("Второе");
  dismiss();
  expect(openToast()).toBeUndefined();
  vi.advanceTimersByTime(999_999);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
});
