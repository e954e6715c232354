/** «Проверить» against servers that imitate providers and their failures. */

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { RemotePresetId } from "#contract/models/remote-model-presets.ts";
import { answer, type Provider, type ProviderRequest, startProvider } from "#server/test/servers/provider-server.ts";
import { complete, startGigachat, startTlsModel, type TlsServer } from "#server/test/servers/remote-model-servers.ts";
import { authorizedFetch } from "./authorized-fetch.ts";
import { checkRemoteModel } from "./check.ts";
import type { CheckUsage } from "./check-cost.ts";
import { modelFetch, NotAllowed } from "./connection.ts";
import { trustedRoots } from "./trusted-roots.ts";

const SECRET = "sk-canary-of-the-key";
let provider: Provider;
/** Requests that the provider received, and its next response. */
const asked: ProviderRequest[] = [];
let behave: (response: Parameters<typeof complete>[0], body: string) => void = complete;
/** What the server tells of itself and its models; null: nothing. */
let page: object | null = null;
let tls: TlsServer;
let plain: Server;
beforeAll(async () => {
  provider = await startProvider((request, response) => {
    if (request.method === "POST") asked.push(request);
    if (request.method === "GET" && page !== null) return answer(response, 200, page);
    if (!request.path.endsWith("/v1/chat/completions")) return answer(response, 404, "not found");
    return behave(response, request.body);
  });
  tls = await startTlsModel();
  // A server that answers, but not in HTTP.
  plain = createServer((socket) => {
    socket.on("error", () => {});
    socket.end("220 mail.example ESMTP\r\n");
  }).listen(0, "127.0.0.1");
  await once(plain, "listening");
});
afterAll(async () => {
  await provider.close();
  await tls.close();
  plain.close();
});

interface Tried {
  preset?: RemotePresetId;
  baseUrl?: string;
  authUrl?: string | null;
  key?: string | null;
  mayBePrivate?: boolean;
  roots?: readonly string[] | null;
  leave?: () => void;
  timeoutMs?: number;
  model?: string;
  tellCost?: (usage: CheckUsage) => void;
}

function check(tried: Tried = {}) {
  const { preset = "compatible", baseUrl = `${provider.root}/v1`, authUrl = null, key = SECRET } = tried;
  const { mayBePrivate = true, roots = null, leave = () => {}, timeoutMs = 5000, model = "m" } = tried;
  const access = { preset, authUrl, key, scope: preset === "gigachat" ? ("GIGACHAT_API_PERS" as const) : null };
  const send = authorizedFetch(modelFetch({ mayBePrivate, roots, leave }), access);
  const { tellCost = () => {} } = tried;
  return checkRemoteModel({ preset, baseUrl, model, send, foreign: false, timeoutMs, tellCost });
}

const error = (status: number, body: unknown) => {
  behave = (response) => answer(response, status, body);
};

test("a model that answers has no problem, and its token counts are reported", async () => {
  behave = complete;
  const told: CheckUsage[] = [];
  const found = await check({ tellCost: (usage) => told.push(usage) });
  expect(told).toEqual([{ input: 1000, output: 100 }]);
  expect(found).toMatchObject({ problem: null, tokens: 1100, sentence: expect.stringMatching(/^Модель ответила за/) });
  const { headers, body } = asked.at(-1)!;
  expect(headers.authorization).toBe(`Bearer ${SECRET}`);
  expect(JSON.parse(body)).toMatchObject({ model: "m", max_tokens: 8 });
});

test.each([
  [{ data: [{ id: "m", context_length: 32_000 }] }, /с и читает до 32.000 токенов\.$/, 32_000],
  [{ data: [{ id: "m", context_length: 4000 }] }, /часть знаний двойника она не увидит\.$/, 4000],
  [{ models: [] }, /Ollama даёт ей прочесть только 4.096 токенов: увеличьте длину контекста в его настройках\.$/, 4096],
])("what the server tells of its context is in the sentence: %j", async (told, sentence, contextTokens) => {
  behave = complete;
  page = told;
  expect(await check()).toMatchObject({ sentence: expect.stringMatching(sentence), contextTokens });
  page = null;
});

test("YandexGPT gets its API key or IAM token in its own header, and the model by its URI", async () => {
  behave = complete;
  const model = "gpt://b1gfolder/yandexgpt/latest";
  await check({ preset: "yandexgpt", model });
  expect(asked.at(-1)!.headers.authorization).toBe(`Api-Key ${SECRET}`);
  expect(JSON.parse(asked.at(-1)!.body).model).toBe(model);
  await check({ preset: "yandexgpt", key: "t1.token" });
  expect(asked.at(-1)!.headers.authorization).toBe("Bearer t1.token");
});

const ANSWERS: [string, number, unknown, string][] = [
  ["a key that is refused", 401, { error: { message: `Incorrect API key: ${SECRET}` } }, "key"],
  ["money that has run out", 402, { status: 402, message: "Payment Required" }, "money"],
  ["a quota that is money in OpenAI's words", 429, { error: { code: "insufficient_quota" } }, "money"],
  ["too many requests", 429, { error: { message: "slow down" } }, "quota"],
  ["a model that is not there", 404, { error: { message: "model 'm' not found" } }, "model"],
  ["a model's address that cannot be read", 400, { error: { message: "Failed to parse model URI" } }, "model"],
  ["a key without the right", 403, { error: { message: "Permission denied" } }, "access"],
  ["an address without models", 404, "<html>nothing</html>", "path"],
  ["a server that has failed", 500, { error: { message: "oops" } }, "server"],
  ["a page in the place of an answer", 200, { hello: "world" }, "protocol"],
  ["a failure under the name of a success", 200, { error: { code: 402, message: "no credits" } }, "money"],
];
test.each(ANSWERS)(
  "%s is reported by its name in one sentence that quotes nothing",
  async (_, status, body, problem) => {
    error(status, body);
    const found = await check();
    expect(found.problem).toBe(problem);
    expect(found.sentence).toMatch(/^[А-ЯA-Z][^\n]+\.$/u);
    expect(JSON.stringify(found)).not.toContain(SECRET);
  },
);

test("a redirect is not followed, so the key goes nowhere else", async () => {
  let reached = 0;
  const other = await startProvider((_, response) => {
    reached++;
    complete(response, "{}");
  });
  behave = (response) => {
    response.writeHead(307, { location: `${other.root}/v1/chat/completions` }).end();
  };
  expect(await check()).toMatchObject({ problem: "redirect" });
  expect(reached).toBe(0);
  await other.close();
});

test("a silent server is waited for only as long as the check may take", async () => {
  behave = () => {};
  const found = await check({ timeoutMs: 300 });
  expect(found.problem).toBe("timeout");
  behave = (response) => void response.writeHead(200, { "content-type": "application/json" }).write("{");
  expect((await check({ timeoutMs: 300 })).problem).toBe("timeout");
  behave = complete;
});

test("an unreachable host, an unknown name and another protocol are distinguished", async () => {
  expect((await check({ baseUrl: "http://127.0.0.1:9/v1" })).problem).toBe("refused");
  expect((await check({ baseUrl: "http://no-such-host.invalid/v1" })).problem).toBe("dns");
  const { port } = plain.address() as AddressInfo;
  expect((await check({ baseUrl: `http://127.0.0.1:${port}/v1` })).problem).toBe("protocol");
  // TLS to a server that speaks plain HTTP.
  expect((await check({ baseUrl: provider.root.replace("http:", "https:") })).problem).toBe("tls");
});

test("an unknown certificate authority is refused, explained for GigaChat, and accepted once the operator has configured it", async () => {
  const unknown = await check({ baseUrl: tls.baseUrl });
  expect(unknown.problem).toBe("tls-issuer");
  expect(unknown.sentence).toContain("MODEL_CA_FILE");
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  expect((await check({ baseUrl: tls.baseUrl })).problem).toBe("tls-issuer");
  vi.unstubAllEnvs();
  const gigachat = await check({
    baseUrl: tls.baseUrl,
    preset: "gigachat",
    authUrl: `https://localhost:${tls.port}/t`,
  });
  expect(gigachat.sentence).toContain("«Russian Trusted Root CA»");
  const roots = await trustedRoots(tls.rootFile);
  expect((await check({ baseUrl: tls.baseUrl, roots })).problem).toBeNull();
  // The usual authorities are still trusted in addition.
  expect(roots!.length).toBeGreaterThan(50);
  const byNumber = tls.baseUrl.replace("localhost", "127.0.0.1");
  expect((await check({ baseUrl: byNumber, roots })).problem).toBe("tls-name");
});

test("a file without a certificate is reported when the server starts", async () => {
  await expect(trustedRoots("/no/such/file.pem")).rejects.toThrow("MODEL_CA_FILE: файл /no/such/file.pem не читается");
  await expect(trustedRoots(import.meta.filename)).rejects.toThrow("нет сертификатов");
  expect(await trustedRoots(null)).toBeNull();
});

test("private addresses, also behind a name, are used only by whoever runs the installation", async () => {
  asked.length = 0;
  const port = new URL(provider.root).port;
  for (const baseUrl of [
    `${provider.root}/v1`,
    `https://127.0.0.1:${port}/v1`,
    `https://[::ffff:127.0.0.1]:${port}/v1`,
    `https://localhost:${port}/v1`,
    "https://169.254.169.254/latest",
    "https://10.0.0.1/v1",
    "https://ollama:11434/v1",
    "http://8.8.8.8/v1",
  ])
    expect((await check({ baseUrl, mayBePrivate: false })).problem, baseUrl).toBe("private");
  expect(asked).toEqual([]);
});

test("where nothing may leave the server no connection is opened, not even for DNS or a token", async () => {
  let connections = 0;
  const watched = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(watched, "listening");
  const root = `http://127.0.0.1:${(watched.address() as AddressInfo).port}`;
  const leave = () => {
    throw new NotAllowed();
  };
  expect((await check({ baseUrl: `${root}/v1`, leave })).problem).toBe("local-only");
  const gigachat = { preset: "gigachat" as const, baseUrl: `${root}/v1`, authUrl: `${root}/oauth`, leave };
  expect((await check(gigachat)).problem).toBe("local-only");
  expect(connections).toBe(0);
  await check({ baseUrl: `${root}/v1` });
  expect(connections).toBe(1);
  watched.close();
});

test("GigaChat's token is used until shortly before it expires, a refused one is renewed once, and problems are reported", async () => {
  const giga = await startGigachat({ key: SECRET });
  const send = authorizedFetch(modelFetch({ mayBePrivate: true, roots: null, leave: () => {} }), {
    ...{ preset: "gigachat", authUrl: giga.authUrl, key: SECRET, scope: "GIGACHAT_API_PERS" },
  });
  const ask = () =>
    checkRemoteModel({ preset: "gigachat", baseUrl: giga.baseUrl, model: "GigaChat-2", send, foreign: true });
  // Simultaneous requests share one token.
  const found = await Promise.all([ask(), ask(), ask()]);
  expect(found.map(({ problem }) => problem)).toEqual([null, null, null]);
  expect(giga.issued).toEqual(["GIGACHAT_API_PERS"]);
  giga.revoke();
  expect((await ask()).problem).toBeNull();
  expect(giga.issued).toHaveLength(2);
  expect(giga.asked.every(({ headers }) => !headers.authorization?.includes(SECRET))).toBe(true);
  const place = { preset: "gigachat" as const, baseUrl: giga.baseUrl, authUrl: giga.authUrl };
  const wrongKey = await check({ ...place, key: "wrong-key" });
  expect(wrongKey.problem).toBe("key");
  expect(JSON.stringify(wrongKey)).not.toContain("wrong-key");
  await giga.close();

  const other = await startGigachat({ key: SECRET, scope: "GIGACHAT_API_B2B" });
  const scope = await check({ ...place, baseUrl: other.baseUrl, authUrl: other.authUrl });
  expect(scope.problem).toBe("scope");
  await other.close();

  // A token is not used within its last minute.
  const short = await startGigachat({ key: SECRET, lifeMs: 30_000 });
  const again = authorizedFetch(modelFetch({ mayBePrivate: true, roots: null, leave: () => {} }), {
    ...{ preset: "gigachat", authUrl: short.authUrl, key: SECRET, scope: "GIGACHAT_API_PERS" },
  });
  for (let n = 0; n < 2; n++)
    await checkRemoteModel({
      preset: "gigachat",
      baseUrl: short.baseUrl,
      model: "GigaChat-2",
      send: again,
      foreign: true,
    });
  expect(short.issued).toHaveLength(2);
  await short.close();
});
