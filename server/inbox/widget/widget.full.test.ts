import { describe, expect, test } from "vitest";
import { newVisitor, prepareWidget, t, widgetId } from "#server/test/widget/widget-bench.ts";
import { ADDRESS_FRAMES_PER_MINUTE } from "./routes.ts";

prepareWidget();

describe("protection against strangers", () => {
  test("the frame and what it reads are limited per address, before anything is looked up", async () => {
    const load = (path: string, remoteAddress: string) =>
      t.anonymous.inject({ url: `/widget/${widgetId}${path}`, remoteAddress, headers: { "x-visitor": newVisitor() } });
    for (const path of ["", "/face"]) {
      for (let calls = 0; calls < ADDRESS_FRAMES_PER_MINUTE; calls++) await load(path, "192.0.2.30");
      const refused = await load(path, "192.0.2.30");
      expect([refused.statusCode, refused.json().code], path).toEqual([429, "too_many_requests"]);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
      expect((await load(path, "192.0.2.31")).statusCode, path).not.toBe(429);
    }
  });
});
