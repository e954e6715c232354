/** A push service and the browsers that it serves: strict about who sends, and each message is opened as the browser would open it. */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface TestBrowser {
  /** As `PushSubscription.toJSON()` says it. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** What it has been sent, opened, in order. */
  messages: { title: string; body: string; url: string; tag: string }[];
  /** The next messages get this answer. */
  answers: number;
}

export interface PushServer {
  origin: string;
  /** Why messages were refused, in order. */
  refusals: string[];
  /** @param publicKey of the server that may send to it */
  subscribe(publicKey: string): TestBrowser;
  close(): Promise<void>;
}

export async function startPushServer(): Promise<PushServer> {
  const browsers = new Map<string, { browser: TestBrowser; open: (body: Buffer) => string; sender: string }>();
  const refusals: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const known = browsers.get(request.url ?? "");
    const end = (status: number, why?: string) => {
      if (why !== undefined) refusals.push(why);
      response.writeHead(status).end();
    };
    if (known === undefined) return end(404, "unknown subscription");
    const wrong = complaint(request.method, request.headers, started.origin, known.sender);
    if (wrong !== null) return end(403, wrong);
    if (known.browser.answers !== 201) return end(known.browser.answers);
    known.browser.messages.push(JSON.parse(known.open(Buffer.concat(chunks))));
    end(201);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const started: PushServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusals,
    subscribe(publicKey) {
      const own = createECDH("prime256v1");
      own.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(12).toString("hex")}`;
      const browser: TestBrowser = {
        subscription: {
          endpoint: started.origin + path,
          keys: { p256dh: own.getPublicKey("base64url"), auth: auth.toString("base64url") },
        },
        messages: [],
        answers: 201,
      };
      browsers.set(path, { browser, sender: publicKey, open: (body) => openMessage(body, own, auth) });
      return browser;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return started;
}

/** What RFC 8030, 8188 and 8292 demand of a sender; null when nothing is wrong. */
function complaint(method: string | undefined, headers: IncomingHttpHeaders, origin: string, sender: string) {
  if (method !== "POST") return "not a POST";
  if (headers["content-encoding"] !== "aes128gcm") return "another encoding";
  if (!/^\d+$/.test(String(headers.ttl))) return "no TTL";
  if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(String(headers.topic))) return "a wrong topic";
  const said = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(headers.authorization ?? "");
  if (said === null) return "no VAPID";
  const [, head, claims, signature, key] = said as unknown as [string, string, string, string, string];
  if (key !== sender) return "another sender than the browser has subscribed with";
  const point = Buffer.from(key, "base64url");
  const jwk = { kty: "EC", crv: "P-256", x: point.toString("base64url", 1, 33), y: point.toString("base64url", 33) };
  const publicKey = createPublicKey({ format: "jwk", key: jwk });
  const signed = Buffer.from(`${head}.${claims}`);
  if (!verify("sha256", signed, { key: publicKey, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url")))
    return "a wrong signature";
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
  if (aud !== origin) return "for another service";
  const now = Date.now() / 1000;
  if (!(exp > now && exp <= now + 24 * 3600)) return "expired, or for longer than a day";
  return /^(https?:|mailto:)/.test(sub) ? null : "no contact";
}

function openMessage(body: Buffer, own: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const derive = (secret: Buffer, from: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, from, info, length));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), sender]);
  const secret = derive(own.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}
