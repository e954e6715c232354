/**
 * Answers in the server's place for the calls of the API alone. Playwright's own `page.route` stops every request of a page
 * and switches Chromium's cache off: each load would fetch and compile the whole interface anew, two thirds more work.
 */
import { STATUS_CODES } from "node:http";
import type { Page } from "@playwright/test";

/** What an answer may do, with Playwright's names; a `Route` of Playwright can do it too. */
export interface ApiRoute {
  fulfill(answer: {
    status?: number;
    headers?: Record<string, string>;
    contentType?: string;
    body?: string | Buffer;
    json?: unknown;
  }): Promise<void>;
  abort(reason: "internetdisconnected"): Promise<void>;
  /** To the server. */
  continue(): Promise<void>;
}

export interface ApiRequest {
  method(): string;
  url(): string;
  headers(): Record<string, string>;
  /** Without the contents of files. */
  postData(): string | null;
  postDataJSON(): Record<string, unknown> | null;
}

interface Paused {
  requestId: string;
  request: {
    url: string;
    method: string;
    headers: Record<string, string>;
    postDataEntries?: { bytes?: string }[];
  };
}

/**
 * Gives each call of `page` to `answer`, which fulfils it, ends it, passes it on or leaves it without an answer.
 * @param urlPattern with `*` for anything
 */
export async function interceptCalls(
  page: Page,
  answer: (route: ApiRoute, request: ApiRequest) => unknown,
  urlPattern = "*://*/api/*",
) {
  const devtools = await page.context().newCDPSession(page);
  devtools.on("Fetch.requestPaused", async (paused: Paused) => {
    // A request whose page has gone meanwhile needs no answer.
    const send = (...command: Parameters<typeof devtools.send>) => devtools.send(...command).catch(() => undefined);
    const { requestId } = paused;
    await answer(
      {
        fulfill: async ({ status = 200, headers = {}, contentType, body, json }) => {
          const type = contentType ?? (json === undefined ? undefined : "application/json");
          const all = { ...headers, ...(type && { "content-type": type }) };
          const bytes = Buffer.isBuffer(body)
            ? body
            : Buffer.from(json === undefined ? (body ?? "") : JSON.stringify(json));
          await send("Fetch.fulfillRequest", {
            requestId,
            responseCode: status,
            responsePhrase: STATUS_CODES[status] ?? "Unknown",
            responseHeaders: Object.entries(all).map(([name, value]) => ({ name, value })),
            body: bytes.toString("base64"),
          });
        },
        abort: async () => {
          await send("Fetch.failRequest", { requestId, errorReason: "InternetDisconnected" });
        },
        continue: async () => {
          await send("Fetch.continueRequest", { requestId });
        },
      },
      requestOf(paused),
    );
  });
  await devtools.send("Fetch.enable", { patterns: [{ urlPattern }] });
}

function requestOf({ request }: Paused): ApiRequest {
  const parts = request.postDataEntries?.map(({ bytes = "" }) => Buffer.from(bytes, "base64"));
  const body = parts === undefined ? null : Buffer.concat(parts).toString("utf8");
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    method: () => request.method,
    url: () => request.url,
    headers: () => headers,
    postData: () => body,
    postDataJSON: () => (body === null ? null : JSON.parse(body)),
  };
}
