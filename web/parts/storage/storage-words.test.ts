import { expect, test } from "vitest";
import { storageWarning } from "./storage-words.ts";

const GIGABYTE = 1024 ** 3;
const space = (used: number, disk: "enough" | "low" | "full" = "enough") => ({
  usedBytes: used * GIGABYTE,
  limitBytes: 10 * GIGABYTE,
  disk,
});

test("a warning appears from four fifths of the limit on, with the usage and what to do", () => {
  expect(storageWarning(space(7.9))).toBeNull();
  const near = storageWarning(space(8));
  expect(near).toMatchObject({ full: false });
  expect(near?.words).toMatch(/заканчивается: занято 8\sГБ из 10\sГБ\. Удалите/);
  expect(storageWarning(space(10))).toMatchObject({ full: true, words: expect.stringContaining("закончилось") });
});

test("a warning about the server's disk appears even to an organisation with free quota", () => {
  expect(storageWarning(space(1, "low"))).toMatchObject({ full: false, words: expect.stringContaining("На сервере") });
  expect(storageWarning(space(1, "full"))).toMatchObject({
    full: true,
    words: expect.stringContaining("загрузки приостановлены"),
  });
  // Problems that users can solve come before those that they cannot.
  expect(storageWarning(space(9, "low"))?.words).toContain("Место организации");
});
