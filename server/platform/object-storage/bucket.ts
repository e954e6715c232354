/**
 * The four calls to S3-compatible storage that the product makes (docs/decisions/012-file-storage-and-disk-quotas.md), each signed with
 * SigV4 including the hash of its body. Only the configured host is contacted: redirects are refused. Errors contain no credentials.
 */
import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import type { StorageConfig } from "#server/platform/config/storage-config.ts";
import { Problem, unavailable } from "#server/platform/errors.ts";

/** Time limit of one request including its body, ms. */
const ANSWER_MS = 60_000;
const TRIES = 3;
/** First pause before a retry, ms; each further one is four times as long. */
const PAUSE_MS = 150;
const RETRY_SECONDS = 30;

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const EMPTY = sha256Of(new Uint8Array());

export const isStorageAway = (error: unknown): boolean => error instanceof Problem && error.code === "storage_away";

/** The storage's error response, for the log. */
class Refusal extends Error {}

interface Sent {
  body?: Buffer;
  /** The body's SHA-256, hex. */
  sha256?: string;
  /** Accepted statuses besides those of success. */
  expected?: readonly number[];
}

export class Bucket {
  readonly #config: StorageConfig;
  readonly #answerMs: number;
  /** Signing keys by day. */
  readonly #derived = new Map<string, ArrayBuffer>();

  constructor(config: StorageConfig, { answerMs = ANSWER_MS } = {}) {
    this.#config = config;
    this.#answerMs = answerMs;
  }

  /** @throws Problem 503 */
  async put(key: string, body: Buffer, sha256 = sha256Of(body)): Promise<void> {
    await this.#send("PUT", key, { body, sha256 });
  }

  /** @returns null when there is no such object @throws Problem 503 */
  async get(key: string): Promise<Buffer | null> {
    const { status, body } = await this.#send("GET", key, { expected: [404] });
    if (status !== 404) return body;
    // A missing bucket must not be taken for a missing object.
    if (codeIn(body) === "NoSuchBucket") throw away(new Refusal("GET: 404 NoSuchBucket"));
    return null;
  }

  /** A missing object is accepted. @throws Problem 503 */
  async delete(key: string): Promise<void> {
    await this.#send("DELETE", key, { expected: [404] });
  }

  /** Checks that the bucket exists and the key may use it. @throws Problem 503 */
  async check(): Promise<void> {
    await this.#send("HEAD", null);
  }

  async #send(method: string, key: string | null, sent: Sent = {}): Promise<{ status: number; body: Buffer }> {
    for (let tried = 1; ; tried++) {
      try {
        const answer = await this.#sendOnce(method, key, sent);
        const { status, body } = answer;
        if ((status >= 200 && status < 300) || sent.expected?.includes(status) === true) return answer;
        const refusal = new Refusal(`${method}: ${status} ${codeIn(body)}`);
        if (status < 500 && status !== 429) throw away(refusal);
        throw refusal;
      } catch (error) {
        if (error instanceof Problem) throw error;
        if (tried >= TRIES) throw away(error);
      }
      await setTimeout(PAUSE_MS * 4 ** (tried - 1));
    }
  }

  async #sendOnce(method: string, key: string | null, { body, sha256 = EMPTY }: Sent) {
    const { endpoint, bucket, prefix, region, accessKey, secretKey } = this.#config;
    const url = key === null ? `${endpoint}/${bucket}` : `${endpoint}/${bucket}/${prefix}${key}`;
    const signer = new AwsV4Signer({
      ...{ method, url, region, service: "s3", accessKeyId: accessKey, secretAccessKey: secretKey },
      headers: { "x-amz-content-sha256": sha256 },
      cache: this.#derived,
    });
    const { headers } = await signer.sign();
    const response = await fetch(url, {
      ...{ method, headers, redirect: "error", signal: AbortSignal.timeout(this.#answerMs) },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  }
}

const away = (cause: unknown): Problem =>
  unavailable("storage_away", "Хранилище файлов сейчас не отвечает. Повторите через минуту", {
    cause,
    retryAfter: RETRY_SECONDS,
  });

/** Returns the error code of the response, from S3's list. */
const codeIn = (body: Buffer): string =>
  /<Code>([A-Za-z]{1,60})<\/Code>/.exec(body.subarray(0, 4096).toString("latin1"))?.[1] ?? "";
