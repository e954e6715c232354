import { beforeEach, expect, test } from "vitest";
import * as z from "zod/mini";
import { endpoint } from "#contract/endpoint.ts";
import { type SeenRequest, standInBrowser } from "#web/test/browser-globals.ts";
import { AnswerMismatch, ApiError, messageOf } from "./api-error.ts";
import { onSessionExpired } from "./auth-token.ts";
import { call } from "./call.ts";
import { stream } from "./event-stream.ts";
import { queryByKey, queryKeyOf } from "./query.ts";
import { addressOf } from "./request.ts";

const problem = { message: "Двойник не найден", code: "not_found", requestId: "r1" };
let seen: SeenRequest;
let answer: { status: number; body: string; statusText?: string };

const stored = standInBrowser((request) => {
  seen = request;
  const { body, ...init } = answer;
  return new Response(body || null, init);
});
beforeEach(() => {
  stored.clear();
  answer = { status: 200, body: '{"id":"1"}' };
});

const Item = z.object({ id: z.string() });
const get = endpoint("GET /api/items/:id", { access: "public", summary: "", params: Item, output: Item });
const create = endpoint("POST /api/items", {
  access: "public",
  refreshes: "nothing",
  summary: "",
  input: Item,
  output: Item,
});
const remove = endpoint("DELETE /api/items/:id", { access: "public", refreshes: "nothing", summary: "", params: Item });
const list = endpoint("GET /api/items", {
  access: "public",
  summary: "",
  query: z.object({ search: z.optional(z.string()) }),
  output: z.array(Item),
});

test("a failed call throws an error with the status, a colon and the body", async () => {
  answer = { status: 404, body: JSON.stringify(problem) };
  const error = await call(get, { params: { id: "1" } }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).message).toBe(`404: ${JSON.stringify(problem)}`);
  expect((error as ApiError).serverMessage).toEqual(problem);
  expect(messageOf(error)).toBe("Двойник не найден");
});

test("an empty body is replaced by the status text", async () => {
  answer = { status: 502, statusText: "Bad Gateway", body: "" };
  await expect(call(get, { params: { id: "1" } })).rejects.toThrow(/^502: Bad Gateway$/);
});

test("a body that is not a problem document yields no message of the server", () => {
  const error = new ApiError(500, "Internal Server Error", "<html>oops</html>");
  expect(error.message).toBe("500: <html>oops</html>");
  expect(error.serverMessage).toBeUndefined();
  expect(error.generationText).toBe("HTTP error! status: 500, message: <html>oops</html>");
});

test("every call has the bearer token, and only calls with a body have a content type", async () => {
  stored.set("auth_token", "secret");
  await call(get, { params: { id: "a/б" } });
  expect(seen.url).toBe("/api/items/a%2F%D0%B1");
  expect(seen.headers.get("authorization")).toBe("Bearer secret");
  expect(seen.headers.get("content-type")).toBeNull();
  await call(create, { input: { id: "1" } });
  expect(seen.headers.get("content-type")).toBe("application/json");
  expect(seen.body).toBe('{"id":"1"}');
});

test("without a token there is no authorization header", async () => {
  await call(get, { params: { id: "1" } });
  expect(seen.headers.get("authorization")).toBeNull();
});

test("a response that does not match the contract is an error that names the field", async () => {
  answer = { status: 200, body: '{"id":1}' };
  const error = await call(get, { params: { id: "1" } }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(AnswerMismatch);
  expect((error as AnswerMismatch).detail).toMatch(/^GET \/api\/items\/:id: id: /);
  // The message for the user must not mention the contract.
  expect(messageOf(error)).toBe("Сервер ответил непонятно. Обновите страницу: возможно, вышла новая версия.");
});

test("a response that is not JSON is an error", async () => {
  answer = { status: 200, body: "<!doctype html>" };
  await expect(call(get, { params: { id: "1" } })).rejects.toThrow(AnswerMismatch);
});

test("a call without a response body returns undefined", async () => {
  answer = { status: 204, body: "" };
  await expect(call(remove, { params: { id: "1" } })).resolves.toBeUndefined();
  expect(seen.method).toBe("DELETE");
});

test("a 401 response ends the session, with and without a token", async () => {
  let ends = 0;
  const stop = onSessionExpired(() => {
    ends += 1;
  });
  answer = { status: 401, body: "" };
  await expect(call(get, { params: { id: "1" } })).rejects.toThrow("401");
  expect(ends).toBe(1);
  stored.set("auth_token", "old");
  await expect(call(get, { params: { id: "1" } })).rejects.toThrow("401");
  expect(ends).toBe(2);
  stop();
});

test("a query key joined by slashes is the requested URL", async () => {
  expect(queryKeyOf(get, { params: { id: "7" } })).toEqual(["/api/items", "7"]);
  expect(queryKeyOf({ path: "/api/twins/:id/training" }, { params: { id: "7" } })).toEqual([
    "/api/twins",
    "7",
    "training",
  ]);
  const signal = new AbortController().signal;
  const context = { signal, queryKey: ["/api/items", "7"], meta: undefined } as unknown as Parameters<
    typeof queryByKey
  >[0];
  await expect(queryByKey(context)).resolves.toEqual({ id: "1" });
  expect(seen.url).toBe("/api/items/7");
});

test("empty query parameters are left out", () => {
  expect(addressOf(list, { query: { search: "", platform: undefined, page: 0 } })).toBe("/api/items?page=0");
});

test("events are read from a stream that is split at any position", async () => {
  answer = {
    status: 200,
    body: 'event: delta\ndata: {"text":"При"}\n\nevent: done\ndata: {}\n\n',
  };
  const events = [];
  for await (const event of stream(create, { input: { id: "1" } })) events.push(event);
  expect(seen.headers.get("accept")).toBe("text/event-stream");
  expect(events).toEqual([
    { event: "delta", data: '{"text":"При"}' },
    { event: "done", data: "{}" },
  ]);
});
