/**
 * S3-compatible storage with one bucket, on loopback: it believes only requests whose signature (SigV4) and body hash are right, worked
 * out here without the product's code. The same tests run against a real one where TEST_STORAGE_URL names its bucket, with
 * TEST_STORAGE_KEY and TEST_STORAGE_SECRET.
 */
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type Config, readConfig } from "#server/platform/config.ts";

const [KEY, SECRET, REGION] = ["test-key", "test-secret-of-the-bucket", "ru-test-1"];

export interface S3Server {
  /** As settings name it. */
  environment: { STORAGE_URL: string; STORAGE_KEY: string; STORAGE_SECRET: string };
  storage: NonNullable<Config["storage"]>;
  /** Objects by their key; null for a real server, which is not inspected. */
  objects: Map<string, Buffer> | null;
  /** Set by tests of a server of their own: how a request is answered instead. */
  faults: { status: number | null; before?: (method: string, key: string) => Promise<void> };
  close(): Promise<void>;
}

export async function startS3Server(): Promise<S3Server> {
  const { TEST_STORAGE_URL, TEST_STORAGE_KEY = "", TEST_STORAGE_SECRET = "" } = process.env;
  if (TEST_STORAGE_URL === undefined) return startOwnS3Server();
  const environment = {
    STORAGE_URL: TEST_STORAGE_URL,
    STORAGE_KEY: TEST_STORAGE_KEY,
    STORAGE_SECRET: TEST_STORAGE_SECRET,
  };
  return {
    environment,
    storage: storageOf(environment),
    objects: null,
    faults: { status: null },
    close: async () => {},
  };
}

/** One whose answers a test decides. */
export async function startOwnS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const faults: S3Server["faults"] = { status: null };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = "GET" } = request;
    const key = /^\/bucket\/(.+)$/.exec(new URL(request.url!, "http://s3").pathname)?.[1] ?? "";
    const refuse = (status: number, code: string) => {
      response.writeHead(status, { "content-type": "application/xml" });
      response.end(method === "HEAD" ? undefined : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    };
    await faults.before?.(method, key);
    if (faults.status !== null) return refuse(faults.status, "SlowDown");
    const wrong = faultOf(request, body);
    if (wrong !== null) return refuse(403, wrong);
    if (key === "") return refuse(method === "HEAD" ? 200 : 405, "MethodNotAllowed");
    const known = objects.get(key);
    if (method === "PUT") objects.set(key, body);
    else if (method === "DELETE") objects.delete(key);
    else if (method !== "GET") return refuse(405, "MethodNotAllowed");
    else if (known === undefined) return refuse(404, "NoSuchKey");
    response.writeHead(method === "DELETE" ? 204 : 200);
    response.end(method === "GET" ? known : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const environment = {
    STORAGE_URL: `http://127.0.0.1:${port}/bucket/uploads?region=${REGION}`,
    STORAGE_KEY: KEY,
    STORAGE_SECRET: SECRET,
  };
  return {
    ...{ environment, storage: storageOf(environment), objects, faults },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const storageOf = (environment: S3Server["environment"]): S3Server["storage"] =>
  readConfig({ NODE_ENV: "test", ...environment }).storage!;

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: string | Buffer, value: string) => createHmac("sha256", key).update(value).digest();

/** What is wrong with a request, by S3's own word for it; null: nothing. */
function faultOf({ method, url, headers }: IncomingMessage, body: Buffer): string | null {
  const authorization =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/;
  const [, key, day, region, names = "", signature] = authorization.exec(headers.authorization ?? "") ?? [];
  if (key === undefined) return "AccessDenied";
  const at = String(headers["x-amz-date"]);
  const time = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - time) < 15 * 60_000) || !at.startsWith(day!)) return "RequestTimeTooSkewed";
  if (key !== KEY) return "InvalidAccessKeyId";
  if (region !== REGION) return "AuthorizationHeaderMalformed";
  const signed = names.split(";");
  if (!signed.includes("host") || !signed.includes("x-amz-content-sha256")) return "AccessDenied";
  const said = String(headers["x-amz-content-sha256"]);
  if (said !== sha256(body)) return "XAmzContentSHA256Mismatch";
  const { pathname, searchParams } = new URL(url!, "http://s3");
  searchParams.sort();
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join("");
  const canonical = [method, pathname, searchParams.toString(), lines, names, said].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const derived = [day!, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${SECRET}`);
  const expected = hmac(derived as Buffer, `AWS4-HMAC-SHA256\n${at}\n${scope}\n${sha256(canonical)}`).toString("hex");
  return signature === expected ? null : "SignatureDoesNotMatch";
}
