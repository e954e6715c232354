/** Plants secrets wherever one is stored or sent, and then searches everything that the product outputs or stores for them. */

import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { createInterface } from "node:readline";
import { sql } from "drizzle-orm";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChannelPlatform, IntegrationInput } from "#contract/integrations/integrations.ts";
import type { SignInResult } from "#contract/organizations/auth.ts";
import { CONSENT_VERSION } from "#contract/organizations/consent.ts";
import { CHANNEL_PLATFORMS } from "#contract/platforms.ts";
import { createMailer } from "#server/accounts/mail/mail.ts";
import { createLog } from "#server/platform/log.ts";
import { ENDPOINT_CASES } from "../endpoints/endpoint-cases.ts";
import { makeThings } from "../endpoints/make-things.ts";
import { send } from "../endpoints/send-case.ts";
import type { Things } from "../endpoints/things.ts";
import { type OpenAiServer, startOpenAiServer } from "../servers/openai-server.ts";
import { openMailbox } from "../sign-in/mailbox.ts";
import { type TestApp, type TestClient, testApp } from "../test-app.ts";

const LETTERS = "ghijklmnopqrstuv";
/** A random text of letters that never occur in ids and hashes, so that even eight of them in a row cannot appear by chance. */
const canary = (name: string) =>
  name +
  randomBytes(18)
    .toString("hex")
    .replaceAll(/./g, (digit) => LETTERS[Number.parseInt(digit, 16)]!);
const PIECE = 8;
/** What is itself hexadecimal shares eight digits with some of thousands of ids once in a thousand runs. */
const HEX_PIECE = 12;

const masterKey = randomBytes(32);
const settings = {
  llmKey: canary("sk-"),
  smtpPassword: canary("p"),
  botToken: `123456:${canary("A")}`,
};
/** Name → value. Sessions' and links' tokens join when they are made. */
const secrets = new Map<string, string>([
  ["master key, base64", masterKey.toString("base64")],
  ["master key, hex", masterKey.toString("hex")],
  ["model's key", settings.llmKey],
  ["mail server's password", settings.smtpPassword],
  ["bot's token", settings.botToken.slice(7)],
]);

/** A key in the form in which its platform gives out keys; null: the platform is our own and has no key. */
const KEY_FORMS: Record<ChannelPlatform, ((secret: string) => string) | null> = {
  telegram: (secret) => `1:${secret.padEnd(35, "0").slice(0, 64)}`,
  whatsapp: (secret) => secret,
  email: (secret) => secret,
  slack: (secret) => `xoxb-${secret}`,
  discord: (secret) => `three.parts.${secret}`,
  max: (secret) => `bot-token-in-max-${secret}`,
  vk: (secret) => `vk1.a.${secret}`,
  web: null,
};
/** What else of a connection's form is secret; a new field is planted as well, or joins the two that are shown. */
type SecretSetting = Exclude<keyof NonNullable<IntegrationInput["settings"]>, "phone_number" | "address">;

interface Said {
  where: string;
  text: string;
}
const logged: string[] = [];
const answers: Said[] = [];

let t: TestApp;
let model: OpenAiServer;
let smtp: Server;
beforeAll(async () => {
  model = await startOpenAiServer({ text: "Доставка стоит 350 рублей." });
  smtp = await refusingMailServer();
  const smtpUrl = `smtp://user:${settings.smtpPassword}@127.0.0.1:${(smtp.address() as AddressInfo).port}`;
  const log = createLog("trace", { write: (line: string) => void logged.push(line) });
  t = await testApp(
    {
      masterKey,
      smtpUrl,
      telegramBot: { name: "twins_bot", token: settings.botToken },
      llm: { baseUrl: model.baseUrl, apiKey: settings.llmKey, model: "m", timeoutSeconds: 1 },
    },
    log,
  );
});
afterAll(async () => {
  await t.close();
  await model.close();
  smtp.close();
});

/** Offers a login and refuses every one. */
async function refusingMailServer(): Promise<Server> {
  const server = createServer((socket) => {
    socket.write("220 test\r\n");
    createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
      if (line.startsWith("EHLO")) socket.write("250-test\r\n250 AUTH PLAIN LOGIN\r\n");
      else socket.write(line.startsWith("AUTH") ? "535 5.7.8 authentication failed\r\n" : "250 ok\r\n");
    });
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** A call whose answer is searched; `hands` are the secrets that this very answer gives to its reader. */
async function call(options: InjectOptions, hands: readonly string[] = []) {
  const answer = await t.app.inject(options);
  let text = `${JSON.stringify(answer.headers)}\n${answer.body}`;
  for (const secret of hands) text = text.replaceAll(secret, "");
  answers.push({ where: `${options.method} ${String(options.url)} ${answer.statusCode}`, text });
  return answer;
}
const post = (path: string, payload: InjectOptions["payload"], headers: Record<string, string> = {}) =>
  call({ method: "POST", url: `/api/auth/email/${path}`, payload, headers });

/** Signs in as a browser does; token and cookie are secrets from then on. */
async function browserLogin(path: string, payload: object) {
  const headers = { "sec-fetch-site": "same-origin" };
  const answer = await t.app.inject({ method: "POST", url: `/api/auth/email/${path}`, payload, headers });
  const { token, user } = answer.json<SignInResult>();
  const cookie = answer.cookies[0]!.value;
  secrets.set(`token of ${path}`, token).set(`cookie of ${path}`, cookie);
  const text = `${JSON.stringify(answer.headers)}\n${answer.body}`;
  answers.push({ where: path, text: text.replaceAll(token, "").replaceAll(cookie, "") });
  return { user, headers: { authorization: `Bearer ${token}`, cookie: `session=${cookie}` } };
}

const planted = (name: string) => {
  const value = canary("w");
  secrets.set(name, value);
  return value;
};

test("no planted secret appears in a response, a log, a stored row, a job or a prompt", async () => {
  await peopleSignInAndFail();
  await ownersUseEverything();
  await platformsAreConnected();
  await programsCall();
  await modelsFailAndQuote();
  await t.jobsIdle();

  const dump = await everyTable();
  const prompts = model.requests.map(({ url, body }) => ({ where: `prompt ${url}`, text: JSON.stringify(body) }));
  const everything = [...answers, ...logged.map((text) => ({ where: "log", text })), ...dump, ...prompts];
  // The search would be worth nothing over little.
  expect(answers.length).toBeGreaterThan(60);
  expect(logged.length).toBeGreaterThan(10);
  expect(dump.length).toBeGreaterThan(15);
  expect(prompts.length).toBeGreaterThan(3);
  expect(secrets.size).toBeGreaterThan(12);

  const quoted = [settings.llmKey.slice(20, 20 + PIECE), masterKey.toString("hex").slice(9, 9 + HEX_PIECE)];
  quoted.push(
    Buffer.from(settings.smtpPassword)
      .toString("hex")
      .slice(7, 9 + 2 * PIECE),
  );
  expect(findSecrets(quoted.map((text) => ({ where: "itself", text: `said ${text}.` })))).toHaveLength(3);
  expect(findSecrets(everything)).toEqual([]);
});

/** Overlapping pieces, also in hexadecimal: a message that quotes the middle of a secret is found as well. */
function findSecrets(said: readonly Said[]): string[] {
  const pieces = [...secrets].flatMap(([name, secret]) => {
    const length = /^[0-9a-f]+$/.test(secret) ? HEX_PIECE : PIECE;
    const inHex = piecesOf(Buffer.from(secret).toString("hex"), 2 * PIECE);
    return [...piecesOf(secret, length), ...inHex].map((piece) => ({ name, piece }));
  });
  const byBeginning = Map.groupBy(pieces, ({ piece }) => piece.slice(0, PIECE));
  // Each place of a text is looked up once, for all secrets together.
  return said.flatMap(({ where, text }) => {
    for (let at = 0; at + PIECE <= text.length; at++) {
      const begun = byBeginning.get(text.slice(at, at + PIECE));
      const found = begun?.find(({ piece }) => text.startsWith(piece, at));
      if (found !== undefined) return [`${found.name} in ${where}: …${found.piece}… of ${text.slice(0, 400)}`];
    }
    return [];
  });
}

function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length));
}

async function peopleSignInAndFail(): Promise<void> {
  const email = `${randomUUID()}@example.test`;
  const password = planted("password");
  // The letter cannot leave: the failure is logged, its link is not.
  const first = await browserLogin("register", { email, password, consent: CONSENT_VERSION });
  await expect.poll(() => logged.some((line) => line.includes("confirmation letter failed"))).toBe(true);
  const mailbox = openMailbox(t.services);
  await post("login", { email, password: planted("a wrong password") });
  await post("login", { email, password: planted("a password too long").padEnd(400, "x") });
  await post("register", { email: "nobody", password: planted("a password with a wrong e-mail") });
  await post("login", { email, password: { $ne: planted("a password in an object") } });
  const broken = { "content-type": "application/json" };
  await post("login", `{"email":"${email}","password":"${planted("a password in broken JSON")}" oops}`, broken);
  await post("login", `${planted("a password as the body")}`, broken);
  await post("login", `password=${planted("a password in a form")}`, {
    "content-type": "application/x-www-form-urlencoded",
  });
  await browserLogin("login", { email, password });
  await call({ method: "GET", url: "/api/auth/verify", headers: first.headers });
  await call({ method: "GET", url: "/api/auth/verify", headers: { authorization: first.headers.authorization } });
  const stranger = planted("an unknown token");
  await call({ method: "GET", url: "/api/auth/verify", headers: { authorization: `Bearer ${stranger}` } });
  await call({ method: "GET", url: `/api/nothing?token=${planted("a token in an address")}` });
  await call({ method: "GET", url: `/reset-password?token=${planted("a token in a page's address")}` });

  await post("forgot", { email });
  const resetToken = await mailbox.tokenTo(email);
  secrets.set("reset token", resetToken);
  await post("reset", { token: resetToken, password: "short" });
  await post("reset", { token: resetToken, password: planted("the next password") });
  await post("reset", { token: resetToken, password: planted("the last password") });
  await post("confirm", { token: planted("an invented link's token") });
  await call({
    method: "POST",
    url: "/api/auth/telegram",
    payload: { id: 1, first_name: "Анна", auth_date: 1, hash: planted("a signature").padEnd(64, "0") },
  });
  t.services.mailer = createMailer(t.services.config, t.services.log);
  await post("forgot", { email });
}

/** Every call once as it should be, and once without anything. */
async function ownersUseEverything(): Promise<void> {
  const owner = await t.signUp();
  secrets.set("token of an API client", owner.token);
  const inject: TestClient["inject"] = (options) =>
    call({ ...options, headers: { authorization: `Bearer ${owner.token}`, ...(options.headers as object) } });
  const watched = { ...owner, inject };
  const things: Things = await makeThings(t, watched);
  const last = (key: string) => Number(ENDPOINT_CASES[key]!.consumes !== undefined);
  for (const key of Object.keys(ENDPOINT_CASES).sort((a, b) => last(a) - last(b))) {
    if (key === "POST /api/auth/logout" || key.endsWith("/register")) continue;
    await send(watched, ENDPOINT_CASES[key]!, key, things);
    if (ENDPOINT_CASES[key]!.endless) continue;
    const [method, path] = key.split(" ") as ["POST", string];
    await inject({ method, url: path.replace(":id", "%00"), payload: undefined });
  }
  // A bug: what was asked is answered with 500 and logged with all that is known.
  await t.jobsIdle();
  await t.services.db.execute(sql`alter table twins add constraint broken check (name <> 'Сломанный') not valid`);
  const input = ENDPOINT_CASES["POST /api/digital-twins"]!.body!(things);
  const headers = { "idempotency-key": randomUUID() };
  const failed = await inject({
    method: "POST",
    url: "/api/digital-twins",
    headers,
    payload: { ...input, name: "Сломанный" },
  });
  expect(failed.statusCode).toBe(500);
  await inject({ method: "POST", url: "/api/auth/logout" });
}

/** Keys of every platform: kept, refused, sent twice, moved to another twin; then what an account signs in with. */
async function platformsAreConnected(): Promise<void> {
  const owner = await t.signUp();
  secrets.set("token of a platforms' owner", owner.token);
  const authorization = `Bearer ${owner.token}`;
  const twin = ENDPOINT_CASES["POST /api/digital-twins"]!.body!({} as Things);
  const { id: twinId } = (await owner.post("/api/digital-twins", twin)).json();
  const send = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, payload?: object | string) =>
    call({
      method,
      url: `/api/integrations${path}`,
      headers: { authorization, "content-type": "application/json", "idempotency-key": randomUUID() },
      payload: payload ?? "{}",
    });
  for (const platform of CHANNEL_PLATFORMS) {
    const keyOf = KEY_FORMS[platform];
    if (keyOf === null) continue;
    const of = (name: string) => planted(`${platform}: ${name}`);
    const settings = {
      webhook_url: `https://hooks.test/${of("webhook")}`,
      app_secret: of("app secret"),
      signing_secret: of("signing secret"),
      app_token: `xapp-${of("app token")}`,
      // A public address that is never connected to: its password
      ...(platform !== "vk" && { proxy: `socks5://shop:${of("proxy's password")}@proxy.example.com:1080` }),
    } satisfies Partial<Record<SecretSetting, string>>;
    const keys = { apiKey: keyOf(of("key")), apiId: "1", apiHash: of("API hash"), settings };
    const made = await send("POST", "/create", { digitalTwinId: twinId, platform, ...keys });
    expect(made.statusCode, made.body).toBe(201);
    const { id } = made.json();
    await send("POST", "/create", { digitalTwinId: randomUUID(), platform, ...keys });
    await send("POST", "/create", { digitalTwinId: twinId, platform: of("platform"), ...keys });
    await send("POST", "/create", {
      digitalTwinId: twinId,
      platform,
      ...keys,
      apiKey: { value: of("key in an object") },
    });
    await send("POST", "/create", {
      digitalTwinId: twinId,
      platform,
      ...keys,
      settings: { webhook_url: of("no address") },
    });
    await send("POST", "/create", `{"apiKey":"${of("key in broken JSON")}" oops}`);
    await send("PUT", `/${id}`, { autonomy: "auto", ...keys });
    await send("POST", `/${id}/reimport`, keys);
    await send("POST", `/telegram/${id}/import-data`, { dialogsLimit: 10, messagesPerDialog: 500, ...keys });
    if (platform === "email") await send("DELETE", `/${id}`);
  }
  const account = { apiId: "1", apiHash: planted("account's API hash"), phoneNumber: "+79001234567", twinId };
  const session = { phoneCodeHash: planted("code's hash"), sessionId: planted("session") };
  const code = { verificationCode: planted("code").slice(0, 20), password: planted("two-step password") };
  await send("POST", "/telegram/send-code", account);
  await send("POST", "/telegram/send-code", { ...account, twinId: randomUUID() });
  await send("POST", "/telegram/verify-code", { ...account, ...session, ...code });
  await send("POST", "/telegram/verify-code", { ...account, ...session, ...code, verificationCode: "" });
  await call({ method: "GET", url: "/api/integrations", headers: { authorization } });
  await call({ method: "GET", url: "/api/crm/integrations", headers: { authorization } });
}

/** A key of a twin and a webhook's secret: each is shown once, in the response that creates it. */
async function programsCall(): Promise<void> {
  const owner = await t.signUp();
  const twin = ENDPOINT_CASES["POST /api/digital-twins"]!.body!({} as Things);
  const things = { twinId: (await owner.post("/api/digital-twins", twin)).json().id } as Things;
  const path = `/api/digital-twins/${things.twinId}`;
  const make = async (case_: string, url: string) => {
    const payload = ENDPOINT_CASES[case_]?.body?.(things);
    const headers = { "idempotency-key": randomUUID() };
    return (await owner.inject({ method: "POST", url, headers, ...(payload ? { payload } : {}) })).json();
  };
  const { token, key } = await make("POST /api/digital-twins/:id/keys", `${path}/keys`);
  // Its first characters are shown in the list.
  secrets.set("API key", token.slice(key.prefix.length));
  const { webhook, secret } = await make("POST /api/digital-twins/:id/webhooks", `${path}/webhooks`);
  secrets.set("webhook's secret", secret.slice("whsec_".length));
  const renewed = await make("none", `${path}/webhooks/${webhook.id}/secret`);
  secrets.set("webhook's next secret", renewed.secret.slice("whsec_".length));

  const authorization = `Bearer ${owner.token}`;
  await call({ method: "POST", url: `${path}/webhooks/${webhook.id}/test`, headers: { authorization } });
  for (const url of [`${path}/keys`, `${path}/webhooks`, `${path}/webhooks/${webhook.id}/deliveries`])
    await call({ method: "GET", url, headers: { authorization } });
  const question = { model: "twin", messages: [{ role: "user", content: "Сколько стоит доставка?" }] };
  for (const given of [`Bearer ${token}`, `Bearer ${token}x`, `Basic ${token}`, token]) {
    const headers = { authorization: given };
    await call({ method: "POST", url: "/v1/chat/completions", headers, payload: question });
    await call({ method: "POST", url: "/mcp", headers, payload: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
    await call({ method: "GET", url: `/v1/models?key=${encodeURIComponent(token)}`, headers });
  }
  await call({ method: "DELETE", url: `${path}/keys/${key.id}`, headers: { authorization } });
}

/** Providers do quote the key that they refuse. */
async function modelsFailAndQuote(): Promise<void> {
  const owner = await t.signUp();
  const { id: twinId } = (
    await owner.post("/api/digital-twins", ENDPOINT_CASES["POST /api/digital-twins"]!.body!({} as Things))
  ).json();
  const quote = `Incorrect API key provided: ${settings.llmKey}`;
  for (const status of [400, 401, 403, 429, 500]) {
    for (const accept of ["application/json", "text/event-stream"]) {
      const body = JSON.stringify({ error: { message: quote, code: settings.llmKey } });
      const refusal = { kind: "error", status, body } as const;
      // A request that is refused as such is repeated without options (generators/learnt-options.ts).
      const isRepeated = status === 400;
      model.script(...(isRepeated ? [refusal] : []), refusal, { kind: "error-chunk", message: quote });
      for (const message of ["Сколько стоит доставка?", "Расскажите подробнее о доставке"]) {
        const answer = await call({
          method: "POST",
          url: "/api/ai-generate",
          headers: { authorization: `Bearer ${owner.token}`, accept },
          payload: { twinId, message },
        });
        expect(answer.body).toMatch(/"code":"model_/);
      }
    }
  }
  model.script({ kind: "redirect", to: `http://127.0.0.1:9/${settings.llmKey}` });
  await call({
    method: "POST",
    url: "/api/ai-generate",
    headers: { authorization: `Bearer ${owner.token}` },
    payload: { twinId, message: "Сколько стоит доставка?" },
  });
}

/** All rows of all tables as text, as a dump holds them; the queue's among them. */
async function everyTable(): Promise<Said[]> {
  const { db } = t.services;
  const { rows } = await db.execute(sql`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`);
  const dump: Said[] = [];
  for (const { schema, name } of rows as { schema: string; name: string }[]) {
    const table = await db.execute(
      sql`select coalesce(string_agg(t::text, ' '), '') as text from ${sql.identifier(schema)}.${sql.identifier(name)} as t`,
    );
    dump.push({ where: `table ${schema}.${name}`, text: table.rows[0]!.text as string });
  }
  return dump;
}
