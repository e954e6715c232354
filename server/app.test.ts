import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONSENT_VERSION } from "#contract/organizations/consent.ts";
import { WEB_ROOT } from "./app.ts";
import { type TestApp, testApp } from "./test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ telegramBot: { name: "twins_bot", token: "123456:AAAAAAAAAAAAAAAAAAAAAAAA" } });
  await t.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => t.close());

const policyOf = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    String(headers["content-security-policy"])
      .split("; ")
      .map((directive) => [directive.split(" ")[0]!, directive.split(" ").slice(1).join(" ")]),
  );

describe("headers", () => {
  test("every answer forbids inline code, framing and sniffing", async () => {
    for (const url of ["/", "/login", "/nowhere", "/api/config", "/api/nothing", "/healthz", "/api/digital-twins"]) {
      const { headers } = await t.anonymous.get(url);
      const policy = policyOf(headers);
      expect(policy, url).toMatchObject({
        "default-src": "'none'",
        "style-src": "'self'",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
      });
      expect(headers["content-security-policy"], url).not.toMatch(/unsafe|\*|http:/);
      expect(headers["x-content-type-options"], url).toBe("nosniff");
      expect(headers["referrer-policy"], url).toBe("same-origin");
      const permissions = String(headers["permissions-policy"]);
      for (const denied of ["camera", "microphone", "geolocation", "payment", "usb", "display-capture"])
        expect(permissions, url).toContain(`${denied}=()`);
      // Our own pages may copy and use passkeys; pages framed inside them may not.
      expect(permissions, url).toContain("publickey-credentials-get=(self)");
      expect(permissions, url).not.toMatch(/=\(?\*|https?:/);
      expect(headers["x-powered-by"], url).toBeUndefined();
      expect(headers.server, url).toBeUndefined();
    }
  });

  test("Telegram's script may load on the sign-in page and nowhere else", async () => {
    for (const url of ["/login", "/login?next=%2Ftwins", "/login/"]) {
      const policy = policyOf((await t.anonymous.get(url)).headers);
      expect(policy["script-src"], url).toBe("'self' https://telegram.org");
      expect(policy["frame-src"], url).toBe("https://oauth.telegram.org");
    }
    for (const url of ["/", "/register", "/login/x", "/api/config", "/?next=/login", "/%6Cogin"]) {
      const policy = policyOf((await t.anonymous.get(url)).headers);
      expect(policy["script-src"], url).toBe("'self'");
      expect(policy["frame-src"], url).toBe("'none'");
    }
  });

  test("without a bot not even the sign-in page loads anything foreign", async () => {
    const plain = await testApp();
    try {
      expect((await plain.anonymous.get("/login")).headers["content-security-policy"]).not.toContain("telegram.org");
    } finally {
      await plain.close();
    }
  });

  test("no response of the API may be cached, not even an error", async () => {
    const ann = await t.signUp();
    for (const url of ["/api/config", "/api/digital-twins", "/api/nothing", "/api/digital-twins/x"]) {
      expect((await ann.get(url)).headers["cache-control"], url).toBe("no-store");
    }
    expect((await t.anonymous.get("/api/digital-twins")).headers["cache-control"]).toBe("no-store");
  });

  test.skipIf(!existsSync(WEB_ROOT))(
    "the page is asked for anew each time, hashed assets never, and it holds no inline code",
    async () => {
      const page = await t.anonymous.get("/twins");
      expect(page.headers["cache-control"]).toBe("no-cache");
      expect(page.headers["content-type"]).toContain("text/html");
      const html = readFileSync(join(WEB_ROOT, "index.html"), "utf8");
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/i);
      const asset = /"(\/assets\/[^"]+\.js)"/.exec(html)![1]!;
      expect((await t.anonymous.get(asset)).headers["cache-control"]).toContain("immutable");
      expect((await t.anonymous.get("/assets/none.js")).statusCode).toBe(404);
    },
  );

  test.skipIf(!existsSync(join(WEB_ROOT, "index.html.br")))(
    "the built web goes out packed as the browser takes it, the page to a HEAD too",
    async () => {
      const html = readFileSync(join(WEB_ROOT, "index.html"), "utf8");
      const asset = /"(\/assets\/index-[^"]+\.js)"/.exec(html)![1]!;
      for (const url of ["/twins", asset]) {
        for (const [accepted, packed] of [
          ["gzip, deflate, br", "br"],
          ["gzip, deflate", "gzip"],
          ["identity", undefined],
        ]) {
          const answer = await t.anonymous.inject({ url, headers: { "accept-encoding": accepted! } });
          expect(answer.headers["content-encoding"], `${url} ${accepted}`).toBe(packed);
          expect(answer.headers.vary).toContain("accept-encoding");
        }
      }
      expect((await t.anonymous.inject({ method: "HEAD", url: "/twins" })).statusCode).toBe(200);
      expect((await t.anonymous.inject({ method: "HEAD", url: "/api/nothing" })).statusCode).toBe(404);
    },
  );

  test("a browser's cookie is HttpOnly, SameSite and, over HTTPS, __Host- and Secure", async () => {
    const register = async (app: TestApp, email: string) => {
      const answer = await app.anonymous.inject({
        method: "POST",
        url: "/api/auth/email/register",
        headers: { "sec-fetch-site": "same-origin" },
        payload: { email, password: "длинный пароль 1", consent: CONSENT_VERSION },
      });
      return [answer.headers["set-cookie"]].flat().join("\n");
    };
    const plain = await register(t, "plain@example.test");
    expect(plain).toMatch(/^session=[\w-]{43};/);
    expect(plain).toMatch(/; HttpOnly/);
    expect(plain).toMatch(/; SameSite=Strict/);
    expect(plain).not.toMatch(/; Secure|Domain/);
    const https = await testApp({ publicUrl: "https://twins.example" });
    try {
      const secure = await register(https, "secure@example.test");
      expect(secure).toMatch(/^__Host-session=[\w-]{43};/);
      expect(secure).toMatch(/; Path=\//);
      expect(secure).toMatch(/; Secure/);
      expect(secure).toMatch(/; HttpOnly/);
      expect(secure).not.toMatch(/Domain/);
      expect((await https.anonymous.get("/")).headers["strict-transport-security"]).toContain("max-age=31536000");
    } finally {
      await https.close();
    }
  });
});

describe("limits of calls", () => {
  let limited: TestApp;
  beforeAll(async () => {
    limited = await testApp({ requestsPerMinute: 20, trustProxy: true });
  });
  afterAll(() => limited.close());

  const login = (url: string, forwarded: string) =>
    limited.anonymous.inject({
      method: "POST",
      url,
      headers: { "x-forwarded-for": forwarded },
      payload: { email: "nobody@example.test", password: "x" },
    });

  test("are not evaded by a forged X-Forwarded-For header or another spelling of the URL", async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 30; round++) {
      const url = ["/api/auth/email/forgot", "/%61pi/auth/email/forgot", "/api/auth/email/%66orgot"][round % 3]!;
      statuses.push((await login(url, `203.0.113.${round}, 198.51.100.7`)).statusCode);
    }
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(200));
    expect(statuses.slice(-15)).toEqual(Array(15).fill(429));
    const refused = await login("/api/auth/email/forgot", "203.0.113.99, 198.51.100.7");
    expect(refused.json()).toMatchObject({ code: "too_many_requests", message: expect.stringMatching(/Повторите/) });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await login("/api/auth/email/forgot", "198.51.100.8")).statusCode).toBe(200);
  });
});

describe("invalid HTTP", () => {
  const exchange = async (bytes: string | Buffer): Promise<string> => {
    const socket = connect((t.app.server.address() as AddressInfo).port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => {});
    socket.end(bytes);
    await once(socket, "close");
    return Buffer.concat(chunks).toString();
  };

  test.each([
    ["nonsense", "nonsense\r\n\r\n", 400],
    ["a header without a colon", "GET / HTTP/1.1\r\nhost: localhost\r\nbroken\r\n\r\n", 400],
    [
      "two lengths",
      "POST /api/auth/logout HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na",
      400,
    ],
    [
      "a length and chunks",
      "POST /api/auth/logout HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["20 KB of headers", `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["bytes of TLS", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]), 400],
  ])("%s is refused in our words", async (_name, bytes, status) => {
    const answer = await exchange(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toEqual({
      message: expect.stringMatching(/[а-я]{3}/),
      code: expect.any(String),
      requestId: expect.any(String),
    });
  });

  test.each(["a/b+c=", "a%2Fb%2Bc%3D", "%2e%2e%2f", "..%2f..%2fetc", "%252e%252e", "a".repeat(43).concat("/../x")])(
    "the token of a link or an id in an address may hold %s: it is only a wrong one",
    async (given) => {
      const token = decodeURIComponent(given).padEnd(43, "x");
      for (const path of ["reset", "confirm"]) {
        const payload = { token, password: "верный пароль" };
        const answer = await t.anonymous.post(`/api/auth/email/${path}`, payload);
        expect(answer.statusCode, path).toBe(400);
        expect(answer.json(), path).toMatchObject({ code: "link_invalid" });
      }
      expect((await t.anonymous.post("/api/auth/invitation", { token })).json()).toMatchObject({
        code: "link_invalid",
      });
      for (const page of ["reset-password", "confirm-email", "invitation"]) {
        const answer = await t.anonymous.get(`/${page}?token=${given}`);
        expect([200, 404], page).toContain(answer.statusCode);
        expect(answer.body, page).not.toContain(token);
      }
      const admin = await t.signUp();
      for (const place of ["digital-twins", "conversations", "integrations", "knowledge/documents", "imports"]) {
        const answer = await admin.get(`/api/${place}/${given}`);
        expect([400, 404], place).toContain(answer.statusCode);
        expect(answer.headers["content-type"], place).toContain("application/json");
      }
      expect([400, 404]).toContain((await t.anonymous.post(`/hooks/${given}`, {})).statusCode);
    },
  );

  test("a URL that cannot be decoded is 400", async () => {
    const answer = await exchange("GET /api/% HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('"bad_request"');
  });
});
