import { drizzle } from "drizzle-orm/node-postgres";
import { expect, test } from "vitest";
import { createLog } from "./log.ts";

function logged(): { lines: string[]; log: ReturnType<typeof createLog> } {
  const lines: string[] = [];
  return { lines, log: createLog("info", { write: (line: string) => void lines.push(line) }) };
}

test("a failed query is logged without its parameters and without row values from PostgreSQL's message", async () => {
  const { lines, log } = logged();
  const refusal = Object.assign(new Error('duplicate key value violates unique constraint "users_email_unique"'), {
    code: "23505",
    detail: "Key (email)=(anna@example.test) already exists.",
  });
  const client = { query: () => Promise.reject(refusal) };
  const failed = await drizzle(client as never)
    .execute("insert into users (email) values ('kept')")
    .then(
      () => null,
      (error: Error & { params?: unknown }) => Object.assign(error, { params: ["anna@example.test", "секрет письма"] }),
    );
  if (failed !== null) failed.message += "\nparams: anna@example.test,секрет письма";
  log.error({ err: failed }, "request failed");
  expect(lines[0]).toContain("Failed query: insert into users");
  expect(lines[0]).toContain("23505");
  expect(lines[0]).toContain("users_email_unique");
  expect(lines[0]).not.toMatch(/anna@example|секрет письма/);
});

test("an error keeps its type, code, frames and cause", () => {
  const { lines, log } = logged();
  log.error({ err: new TypeError("outer", { cause: Object.assign(new Error("inner"), { code: "ECONNRESET" }) }) }, "x");
  const { err } = JSON.parse(lines[0]!) as { err: Record<string, unknown> };
  expect(err).toMatchObject({ type: "TypeError", message: "outer", cause: { message: "inner", code: "ECONNRESET" } });
  expect(err.stack).toMatch(/^\s+at .*log\.test\.ts/m);
});

test("a session's token and cookie are masked in any object in which a plugin logs headers", () => {
  const { lines, log } = logged();
  const headers = { authorization: "Bearer kept", cookie: "session=kept", host: "twins.example" };
  log.info({ req: { headers } }, "a");
  log.info({ busboyOptions: { headers } }, "b");
  log.info({ headers }, "c");
  expect(lines.join("\n")).not.toContain("kept");
  expect(lines.every((line) => line.includes("twins.example"))).toBe(true);
});

test("a secret is masked anywhere in a log line, and the line stays valid JSON", () => {
  const { lines, log } = logged();
  const url = "postgres://anna:s3cret@db.example/twins";
  log.error({ err: new Error(`connect to ${url} failed`), url }, `secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`);
  log.info({ key: "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF" }, "kept");
  expect(lines.join("")).not.toMatch(/s3cret|MfKQ9r8|MIIEvQ/);
  expect(JSON.parse(lines[0]!)).toMatchObject({ url: "[скрыто]", msg: "secret [скрыто]" });
  expect(JSON.parse(lines[1]!)).toMatchObject({ key: "[скрыто]", msg: "kept" });
});
