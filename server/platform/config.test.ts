import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigError, embeddingModelOf, readConfig } from "./config.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

const PRODUCTION = {
  NODE_ENV: "production",
  MASTER_KEY: KEY,
  PUBLIC_URL: "https://twins.example.ru",
  SMTP_URL: "smtps://mail.example.ru",
};

const STORAGE = { STORAGE_KEY: "key", STORAGE_SECRET: "long-secret" };

/** Returns the error message for this environment; empty when it is valid. */
function complaints(environment: Record<string, string>): string {
  try {
    readConfig(environment);
    return "";
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

test("whatever is wrong with a number is one sentence with its bounds", () => {
  for (const wrong of ["http", "-1", "65536", "80.5", "3000;"])
    expect(complaints({ PORT: wrong })).toBe("PORT: ожидалось целое число от 0 до 65535");
  expect(complaints({ OTEL_TRACES_SAMPLER_ARG: "half" })).toBe("OTEL_TRACES_SAMPLER_ARG: ожидалось число от 0 до 1");
});

const WRONG: Record<string, string[]> = {
  NODE_ENV: ["prod", "Production"],
  ROLE: ["api", "Web"],
  PORT: ["http", "-1", "65536", "80.5"],
  PUBLIC_URL: ["twins.example", "ftp://twins.example", "https://twins.example/path", "https://a:b@twins.example"],
  TRUST_PROXY: ["yes", "2"],
  DATABASE_URL: ["mysql://localhost/x", "localhost:5432"],
  DATABASE_POOL: ["0", "201", "ten"],
  DEMO: ["on", "да"],
  MASTER_KEY: ["short", Buffer.alloc(31).toString("base64"), Buffer.alloc(33).toString("base64"), `!!${KEY}`],
  LLM_BASE_URL: ["localhost:11434", "file:///etc/passwd"],
  LLM_TIMEOUT_SECONDS: ["0", "601", "soon"],
  SMTP_URL: ["http://mail", "mail.example"],
  MAIL_FROM: ["nobody", "a@b\r\nBcc: c@d"],
  TELEGRAM_BOT_NAME: ["@bot_name", "a"],
  TELEGRAM_BOT_TOKEN: ["token", "12:short"],
  TELEGRAM_DC: ["149.154.167.50:443", "localhost:443", "127.0.0.1"],
  TELEGRAM_DC_KEY: ["-----BEGIN RSA PUBLIC KEY-----"],
  SUPER_ADMIN_EMAIL: ["boss"],
  REQUESTS_PER_MINUTE: ["-1", "many"],
  STORAGE_URL: [
    "s3://key:secret@storage.example.ru/twins",
    "https://key:secret@storage.example.ru/twins",
    "https://storage.example.ru",
    "https://storage.example.ru/twins?acl=public",
    "https://storage.example.ru/twins/../other%2f",
  ],
  STORAGE_KEY: ["two words"],
  STORAGE_SECRET: ["short"],
  LOG_LEVEL: ["loud"],
};

describe("a wrong value", () => {
  test.each(Object.entries(WRONG).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    "%s=%s stops the start with a Russian sentence that names it",
    (name, value) => {
      const said = complaints({ [name]: value }).split("\n");
      const line = said.find((sentence) => sentence.startsWith(`${name}: `));
      expect(line, said.join("\n")).toMatch(/[а-я]{4}/);
      expect(line).not.toMatch(/expected|invalid/i);
      // A mistyped secret is still a secret, so the message must not quote it.
      if (/KEY|TOKEN/.test(name)) expect(line).not.toContain(value);
    },
  );

  test("all invalid values are reported at once", () => {
    const all = Object.fromEntries(Object.entries(WRONG).map(([name, [value]]) => [name, value!]));
    for (const name of Object.keys(WRONG)) expect(complaints(all)).toContain(`${name}: `);
  });

  test.each([
    [{ ...PRODUCTION, DEMO: "1" }, "DEMO: "],
    [{ NODE_ENV: "production" }, "MASTER_KEY: "],
    [{ NODE_ENV: "production" }, "SMTP_URL: "],
    [{ NODE_ENV: "production" }, "PUBLIC_URL: "],
    [{ DATABASE_URL: "postgres://localhost/twins" }, "MASTER_KEY: "],
    [{ ROLE: "web" }, "ROLE: "],
    [{ ROLE: "worker" }, "ROLE: "],
    [{ LLM_BASE_URL: "http://localhost:1/v1" }, "LLM_MODEL: "],
    [{ LLM_API_KEY: "key" }, "LLM_BASE_URL: "],
    [{ EMBEDDING_BASE_URL: "http://localhost:1/v1" }, "EMBEDDING_MODEL: "],
    [{ EMBEDDING_API_KEY: "key" }, "EMBEDDING_BASE_URL: "],
    [{ STORAGE_URL: "https://storage.example.ru/twins" }, "STORAGE_KEY"],
    [{ STORAGE_KEY: "key" }, "STORAGE_SECRET"],
    [{ STORAGE_KEY: "key", STORAGE_SECRET: "long-secret" }, "STORAGE_URL: "],
    [{ ...STORAGE, STORAGE_URL: "http://storage.example.ru/twins" }, "STORAGE_URL: "],
    [{ TELEGRAM_BOT_NAME: "twins_bot" }, "TELEGRAM_BOT_TOKEN"],
    [{ TELEGRAM_BOT_TOKEN: "123456:AAAAAAAAAAAAAAAAAAAAAAAA" }, "TELEGRAM_BOT_NAME"],
  ])("%o does not go together", (environment, name) => {
    expect(complaints(environment)).toContain(name);
  });
});

test.each([
  "http://twins.example.ru",
  "https://localhost",
  "https://localhost.",
  "https://LOCALHOST:3000",
  "https://a.localhost",
  "https://127.0.0.1",
  "https://127.0.0.1.",
  "https://127.1",
  "https://[::1]",
  "https://192.168.1.5",
  "https://twins",
  "https://twins.local.",
])("production does not start with PUBLIC_URL=%s, because its links could not be opened", (PUBLIC_URL) => {
  expect(complaints({ ...PRODUCTION, PUBLIC_URL })).toMatch(/^PUBLIC_URL: .*https/);
});

describe("valid values", () => {
  test("an empty environment is enough for the embedded database in demo mode", () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      demo: true,
      host: "localhost",
      port: 3000,
      publicUrl: "http://localhost:3000",
      databaseUrl: null,
      masterKey: null,
      otherMasterKeys: [],
      localModelHosts: ["localhost", "127.0.0.1", "::1"],
      llm: null,
      embedding: null,
      modelFiles: null,
    });
  });

  test("an empty value counts as absent", () => {
    expect(readConfig({ PORT: "", DATABASE_URL: "", DEMO: "" })).toMatchObject({ port: 3000, demo: true });
  });

  test("paths of model files become absolute, and without an endpoint vectors are stored under the file's name", () => {
    const config = readConfig({ MODEL_PATH: "m.gguf", EMBEDDING_MODEL_PATH: "/models/e5.gguf" });
    const files = { generator: resolve("m.gguf"), embedder: "/models/e5.gguf", reranker: null, threads: null };
    expect(config.modelFiles).toMatchObject({
      ...files,
      contextTokens: 4096,
      timeoutSeconds: 120,
      rerankerTimeoutMs: 1500,
    });
    expect(embeddingModelOf(config)).toBe("file:e5.gguf");
    const endpoint = { EMBEDDING_BASE_URL: "http://localhost:1/v1", EMBEDDING_MODEL: "bge-m3" };
    expect(embeddingModelOf(readConfig({ ...endpoint, EMBEDDING_MODEL_PATH: "/models/e5.gguf" }))).toBe("bge-m3");
    expect(embeddingModelOf(readConfig({}))).toBeNull();
  });

  test("a speech model and language data that lie in the data folder are found there", () => {
    const folder = mkdtempSync(join(tmpdir(), "dt-config-"));
    expect(readConfig({ DATA_DIR: folder }).media).toEqual({ speechModel: null, ocrData: null });
    for (const name of ["speech", "tessdata"]) mkdirSync(join(folder, name));
    const media = { speechModel: join(folder, "speech"), ocrData: join(folder, "tessdata") };
    expect(readConfig({ DATA_DIR: folder }).media).toEqual(media);
    rmSync(folder, { recursive: true });
  });

  test("PostgreSQL has demo mode only on request, and production never has it", () => {
    const postgres = { DATABASE_URL: "postgres://localhost/twins", MASTER_KEY: KEY };
    expect(readConfig(postgres).demo).toBe(false);
    expect(readConfig({ ...postgres, DEMO: "1" }).demo).toBe(true);
    expect(readConfig(PRODUCTION)).toMatchObject({ production: true, demo: false });
  });

  test("URLs lose their trailing slash, the administrator's email becomes lower case, and the key is decoded from base64", () => {
    expect(
      readConfig({
        PUBLIC_URL: "https://twins.example/",
        LLM_BASE_URL: "http://localhost:11434/v1/",
        LLM_MODEL: "m",
        SUPER_ADMIN_EMAIL: "Boss@Example.ru",
        MASTER_KEY: KEY,
      }),
    ).toMatchObject({
      publicUrl: "https://twins.example",
      llm: { baseUrl: "http://localhost:11434/v1", model: "m", apiKey: null, timeoutSeconds: 120 },
      superAdminEmail: "boss@example.ru",
      masterKey: Buffer.alloc(32, 7),
      otherMasterKeys: [],
      localModelHosts: ["localhost", "127.0.0.1", "::1"],
    });
  });

  test("a bucket is named by an address in whose path it stands, with a folder or without one", () => {
    const named = (STORAGE_URL: string) => readConfig({ ...STORAGE, STORAGE_URL }).storage;
    const keys = { accessKey: "key", secretKey: "long-secret" };
    expect(named("https://storage.example.ru/twins/files/a/?region=ru-1")).toEqual({
      ...{ endpoint: "https://storage.example.ru", bucket: "twins", prefix: "files/a/", region: "ru-1" },
      ...keys,
    });
    expect(named("http://minio:9000/twins")).toEqual({
      ...{ endpoint: "http://minio:9000", bucket: "twins", prefix: "", region: "us-east-1" },
      ...keys,
    });
  });
});
