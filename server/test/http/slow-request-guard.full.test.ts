/** Slow clients of the server as it runs, with the limits that it has. */
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { open } from "./slow-clients.ts";

/** The limits are 12 and 15 seconds; a busy machine notices them later. */
const LONGEST_MS = 35_000;

// Twenty seconds of sockets that reach no database: once is enough.
describe.skipIf("url" in inject("databaseSnapshot"))("the server as it runs", () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp();
    await t.app.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(() => t.close());

  test("slow headers, slow bodies and silent clients are disconnected, and the server answers in the meantime", async () => {
    const head = (length: number, path = "/api/auth/email/login") =>
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    const kinds: Record<string, { start: string; drip: string }> = {
      silence: { start: "", drip: "" },
      "a header a second": { start: "GET / HTTP/1.1\r\n", drip: "x: y\r\n" },
      "half a request line": { start: "GET /api", drip: "x" },
      "a body a byte a second": { start: head(1000), drip: " " },
      "a body that never comes": { start: head(1000), drip: "" },
      "chunks a byte a second": {
        start: head(0).replace("content-length: 0", "transfer-encoding: chunked"),
        drip: "1\r\n \r\n",
      },
      "a body nobody asked for": { start: head(1000, "/api/nothing"), drip: " " },
      "a form a byte a second": {
        start: head(100_000, "/api/imports").replace("application/json", "multipart/form-data; boundary=x"),
        drip: "-",
      },
    };
    const attacks = Object.entries(kinds).flatMap(([name, kind]) =>
      Array.from({ length: 10 }, () => ({ name, ...kind })),
    );
    const results = attacks.map(async ({ name, start, drip }) => {
      const { socket, ended } = open(t.app);
      socket.write(start);
      const timer = drip === "" ? undefined : setInterval(() => socket.writable && socket.write(drip), 1000);
      const result = await Promise.race([ended, wait(LONGEST_MS, null)]);
      clearInterval(timer);
      socket.destroy();
      return { name, result };
    });
    await wait(2000);
    const address = t.app.server.address() as AddressInfo;
    // Before the first of them is cut, or it would show nothing.
    const signal = AbortSignal.timeout(8_000);
    expect((await fetch(`http://127.0.0.1:${address.port}/api/config`, { signal })).status).toBe(200);
    for (const { name, result } of await Promise.all(results)) {
      expect(result, `${name} was never cut`).not.toBeNull();
      expect(result!.said, name).not.toMatch(/^HTTP\/1\.1 [25]/);
    }
  });
});
