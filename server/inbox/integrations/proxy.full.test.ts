import { expect, test } from "vitest";
import { check, failed, http, httpUrl, prepareProxies } from "#server/test/integrations/proxy-bench.ts";

prepareProxies();

test("a proxy that does not respond is reported within a minute", { timeout: 60_000 }, async () => {
  http.mood = "silent";
  const began = Date.now();
  expect(failed(await check(httpUrl())).text).toBe("Прокси принял соединение и молчит");
  expect(Date.now() - began).toBeLessThan(20_000);
  http.mood = "well";
});
