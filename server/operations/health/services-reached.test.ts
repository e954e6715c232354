import { expect, test } from "vitest";
import { createLog } from "#server/platform/log.ts";
import { watchServices } from "./services-reached.ts";

const MINUTE = 60_000;

test("a mail server or storage where nobody listens is logged once, asked again soon, and its return is logged", async () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  let [at, asked] = [0, 0];
  let away: Error | null = new Error("connect ECONNREFUSED");
  const check = async () => {
    if (away) throw away;
  };
  const mailer = {
    check: () => {
      asked++;
      return check();
    },
  };
  const services = watchServices({ mailer, files: { check }, log, now: () => at });
  expect(services.letters).toBeNull();
  await services.look();
  expect(services.letters).toBe(false);
  expect(lines.toSorted()).toEqual([
    "the file storage does not answer: no file can be stored or read",
    "the mail server of SMTP_URL does not answer: no letter goes out",
  ]);
  at += MINUTE;
  await services.look();
  expect([asked, lines.length]).toEqual([2, 2]);
  away = null;
  at += MINUTE;
  await services.look();
  expect([services.letters, ...lines.slice(2).toSorted()]).toEqual([
    true,
    "the file storage answers again",
    "the mail server of SMTP_URL answers again",
  ]);
  // A server that signs us in is not asked to do so again and again.
  at += MINUTE;
  await services.look();
  expect(asked).toBe(3);
  at += 10 * MINUTE;
  await services.look();
  expect(asked).toBe(4);
});

test("without a mail server in the settings nobody is asked", async () => {
  const services = watchServices({ mailer: {}, files: { check: async () => {} }, log: createLog("silent") });
  await services.look();
  expect(services.letters).toBeNull();
});
