import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { endpoint } from "#contract/endpoint.ts";
import { call } from "./call.ts";
import { queryOf } from "./query.ts";
import { queryClient } from "./query-client.ts";
import { refresh, refreshAfter, refreshed } from "./refresh.ts";

const IdParams = z.object({ id: z.string() });
const list = endpoint("GET /api/digital-twins", { access: "signed-in", summary: "", tags: ["twins"], output: z.any() });
const one = endpoint("GET /api/digital-twins/:id", {
  ...{ access: "signed-in", summary: "", params: IdParams, output: z.any() },
  tags: ["twins"],
});
const keys = endpoint("GET /api/digital-twins/:id/keys", {
  ...{ access: "signed-in", summary: "", params: IdParams, output: z.any() },
  tags: ["twins", "keys"],
});
const report = endpoint("GET /api/analytics", { access: "signed-in", summary: "", tags: ["report"], output: z.any() });
const addKey = endpoint("POST /api/digital-twins/:id/keys", {
  ...{ access: "signed-in", summary: "", params: IdParams, output: z.any() },
  refreshes: ["keys"],
});
const remove = endpoint("DELETE /api/digital-twins/:id", {
  ...{ access: "signed-in", summary: "", params: IdParams },
  refreshes: ["twins"],
});
const look = endpoint("POST /api/preview", { access: "signed-in", summary: "", output: z.any(), refreshes: "nothing" });

const params = (id: string) => ({ params: { id } });
/** Requests of the page since the last check. */
let asked: string[] = [];
/** Response to a change. A streamed one continues after its headers. */
let answer: () => Response = () => Response.json({});

function show() {
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("fetch", async (address: string, { method = "GET" }: RequestInit = {}) => {
    asked.push(`${method} ${address}`);
    return method === "GET" ? Response.json([]) : answer();
  });
  const queries = [
    queryOf(list),
    queryOf(one, params("a")),
    queryOf(keys, params("a")),
    queryOf(keys, params("b")),
    queryOf(report),
  ];
  for (const query of queries) queryClient.setQueryData(query.queryKey, []);
  const ends = queries.map((query) =>
    new QueryObserver(queryClient, query as object as { queryKey: string[] }).subscribe(() => {}),
  );
  return () => {
    for (const end of ends) end();
  };
}

let leave = () => {};
afterEach(() => {
  leave();
  queryClient.clear();
  asked = [];
  answer = () => Response.json({});
  vi.unstubAllGlobals();
});

test("after a change that has succeeded, what shows its tags is read again and nothing else", async () => {
  leave = show();
  await call(addKey, params("a"));
  await refreshed();
  expect(asked).toEqual([
    "POST /api/digital-twins/a/keys",
    "GET /api/digital-twins/a/keys",
    "GET /api/digital-twins/b/keys",
  ]);
});

test("a change that was refused, and one that changes nothing, make nothing old", async () => {
  leave = show();
  answer = () => Response.json({ code: "no" }, { status: 409 });
  await expect(call(addKey, params("a"))).rejects.toThrow();
  answer = () => Response.json({});
  await call(look);
  await refreshed();
  expect(asked).toEqual(["POST /api/digital-twins/a/keys", "POST /api/preview"]);
});

test("what was removed is not asked for, nor what lay below it", async () => {
  leave = show();
  answer = () => new Response(null, { status: 204 });
  await call(remove, params("a"));
  await refreshed();
  expect(asked).toEqual(["DELETE /api/digital-twins/a", "GET /api/digital-twins", "GET /api/digital-twins/b/keys"]);
});

test("a streamed answer is not complete at its head: its reader reports the end", async () => {
  leave = show();
  answer = () => new Response("", { headers: { "content-type": "text/event-stream; charset=utf-8" } });
  await call({ ...addKey, output: undefined }, params("a"));
  await refreshed();
  expect(asked).toEqual(["POST /api/digital-twins/a/keys"]);
  refreshAfter(addKey);
  await refreshed();
  expect(asked).toContain("GET /api/digital-twins/a/keys");
});

test("news of one place is read there alone", async () => {
  leave = show();
  refresh({ tags: ["keys"], below: "/api/digital-twins/b" }, { tags: ["report"] });
  await refreshed();
  expect(asked).toEqual(["GET /api/digital-twins/b/keys", "GET /api/analytics"]);
});
