import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "../config.ts";
import { Environment } from "./environment.ts";

const folder = mkdtempSync(join(tmpdir(), "settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

const KEY = Buffer.alloc(32, 7).toString("base64");

function written(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function complaints(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split("\n");
    throw error;
  }
}

describe("a setting from a file", () => {
  test("each secret is taken from the file that its _FILE names, without the line break at its end", () => {
    const secrets = {
      MASTER_KEY: KEY,
      MASTER_KEY_PREVIOUS: Buffer.alloc(32, 8).toString("base64"),
      DATABASE_URL: "postgres://twins:s@db/twins",
      DATABASE_REQUEST_URL: "postgres://requests:s@db/twins",
      LLM_API_KEY: "model-secret",
      EMBEDDING_API_KEY: " kept spaces ",
      SMTP_URL: "smtps://user:pass@mail.example.ru",
      TELEGRAM_BOT_TOKEN: "123456:AAAAAAAAAAAAAAAAAAAAAAAA",
      WHATSAPP_APP_SECRET: "meta-secret",
    };
    const open = {
      LLM_BASE_URL: "http://localhost:1/v1",
      LLM_MODEL: "m",
      EMBEDDING_BASE_URL: "http://localhost:1/v1",
      EMBEDDING_MODEL: "e",
      TELEGRAM_BOT_NAME: "twins_bot",
    };
    const breaks = ["", "\n", "\r\n"];
    const inFiles = Object.entries(secrets).map(([name, value], at) => [
      `${name}_FILE`,
      written(name.toLowerCase(), `${value}${breaks[at % breaks.length]}`),
    ]);
    expect(readConfig({ ...open, ...Object.fromEntries(inFiles) })).toEqual(readConfig({ ...open, ...secrets }));
  });

  test("a variable and a file for the same setting stop the start, because the choice would be ambiguous", () => {
    expect(complaints({ MASTER_KEY: KEY, MASTER_KEY_FILE: written("both", KEY) })).toEqual([
      "MASTER_KEY и MASTER_KEY_FILE: заданы оба, оставьте одно из двух",
    ]);
    // Compose passes unset variables as empty ones.
    expect(complaints({ MASTER_KEY: "", MASTER_KEY_FILE: written("one", KEY) })).toEqual([]);
  });

  test("a file that is missing, empty, a folder or far too large is named in a sentence", () => {
    const missing = join(folder, "nowhere");
    expect(complaints({ SMTP_URL_FILE: missing })).toEqual([`SMTP_URL_FILE: файла ${missing} нет`]);
    const empty = written("empty", "\n");
    expect(complaints({ SMTP_URL_FILE: empty })).toEqual([`SMTP_URL_FILE: файл ${empty} пуст`]);
    expect(complaints({ SMTP_URL_FILE: folder })).toEqual([`SMTP_URL_FILE: ${folder} — это папка, а не файл`]);
    const large = written("large", "x".repeat(70_000));
    expect(complaints({ SMTP_URL_FILE: large })[0]).toContain("больше 64 КБ");
  });

  test("a file that the server's user may not read is named with what to do", () => {
    const path = written("closed", KEY);
    chmodSync(path, 0o000);
    // Root reads everything, so the test switches to another user.
    const root = process.geteuid?.() === 0;
    if (root) chmodSync(folder, 0o755);
    if (root) process.seteuid?.(65_534);
    try {
      expect(complaints({ MASTER_KEY_FILE: path })).toEqual([
        `MASTER_KEY_FILE: нет прав на чтение файла ${path}: дайте их пользователю, от имени которого работает сервер`,
      ]);
    } finally {
      if (root) process.seteuid?.(0);
    }
  });

  test("a wrong value in a file is reported with the file and without the value, beside the other faults", () => {
    const path = written("wrong", "not-a-key");
    const said = complaints({ MASTER_KEY_FILE: path, SMTP_URL_FILE: folder, PORT: "http" });
    expect(said).toHaveLength(3);
    expect(said.join("\n")).not.toContain("not-a-key");
    const line = said.find((sentence) => sentence.startsWith("MASTER_KEY_FILE: "));
    expect(line).toContain("32 байта");
    expect(line).toContain(path);
  });

  test("no setting's own name is that of another with _FILE behind it", () => {
    const names = Object.keys(Environment.shape);
    expect(names.filter((name) => name.endsWith("_FILE") && names.includes(name.slice(0, -"_FILE".length)))).toEqual(
      [],
    );
  });
});
