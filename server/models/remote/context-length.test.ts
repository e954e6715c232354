import { afterEach, expect, test } from "vitest";
import { answer, startProvider } from "#server/test/servers/provider-server.ts";
import { askContextLength, promptTokensFor } from "./context-length.ts";

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

/** @param pages what the server answers by path; any other path is unknown to it */
async function ask(pages: Record<string, unknown>, foreign = false) {
  const asked: string[] = [];
  const provider = await startProvider(async ({ path, headers }, response) => {
    asked.push(`${path} ${headers.authorization ?? ""}`.trim());
    if (path in pages) answer(response, 200, pages[path] as object);
    else answer(response, 404, { error: { message: "unknown" } });
  });
  close = provider.close;
  const send: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...init?.headers, authorization: "Bearer k" } });
  return { found: await askContextLength({ baseUrl: `${provider.root}/v1`, model: "m", send, foreign }), asked };
}

test.each([
  [
    "vLLM",
    {
      "/v1/models": {
        data: [
          { id: "other", max_model_len: 1 },
          { id: "m", max_model_len: 32_768 },
        ],
      },
    },
    32_768,
  ],
  ["OpenRouter", { "/v1/models": { data: [{ id: "m", context_length: 131_072 }] } }, 131_072],
  ["llama.cpp", { "/props": { default_generation_settings: { n_ctx: 8192 } } }, 8192],
  ["LM Studio", { "/api/v0/models": { data: [{ id: "m", loaded_context_length: 6000 }] } }, 6000],
])("%s tells the context of its model", async (_, pages, tokens) => {
  expect((await ask(pages)).found).toEqual({ tokens, told: true });
});

test("Ollama tells the context of a loaded model, and is taken to read its own default before", async () => {
  const loaded = { models: [{ name: "m", context_length: 16_384 }] };
  expect((await ask({ "/api/ps": loaded })).found).toEqual({ tokens: 16_384, told: true, isOllama: true });
  await close?.();
  expect((await ask({ "/api/ps": { models: [] } })).found).toEqual({ tokens: 4096, told: false, isOllama: true });
});

test("somebody else's server is asked for its list alone, with the key", async () => {
  const { found, asked } = await ask({ "/v1/models": { data: [{ id: "m" }] } }, true);
  expect(found).toBeNull();
  expect(asked).toEqual(["/v1/models Bearer k"]);
});

test.each([
  [{ "/v1/models": { data: [{ id: "m", max_model_len: "many" }] } }],
  [{ "/v1/models": { data: [{ id: "m", max_model_len: 3 }] } }],
  [{ "/v1/models": [] }],
  [{}],
])("a server that tells nothing of use is no error: %j", async (pages) => {
  expect((await ask(pages)).found).toBeNull();
});

test("a prompt grows with the context only as far as its price allows", () => {
  expect(promptTokensFor(null, "RUB")).toBeUndefined();
  expect(promptTokensFor(0, "RUB")).toBe(Number.POSITIVE_INFINITY);
  // 0.2 ₽ for 1,000 tokens, 0.0001 $ for 1,000 tokens.
  expect(promptTokensFor(200_000, "RUB")).toBe(15_000);
  expect(promptTokensFor(100, "USD")).toBe(300_000);
});
