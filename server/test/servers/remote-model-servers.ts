/** Local servers that speak as providers of models do: GigaChat with its tokens, YandexGPT, and any that are compatible with OpenAI, also by TLS. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { answer, type ProviderRequest, startProvider } from "./provider-server.ts";

const run = promisify(execFile);

/** Sends a whole answer, or a stream when one was asked for. */
export function complete(response: ServerResponse, body: string, text = "Да."): void {
  // It tells nothing but answers, not the context of its models either.
  if (body === "") {
    answer(response, 404, { error: { message: "unknown path" } });
    return;
  }
  const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
  const head = { id: "c1", created: 1, model: "m" };
  if ((JSON.parse(body) as { stream?: boolean }).stream !== true) {
    answer(response, 200, {
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage,
    });
    return;
  }
  const part = (one: object) => `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...one })}\n\n`;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(
    `${part({ choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }] })}${part({
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
      usage,
    })}data: [DONE]\n\n`,
  );
}

export interface Gigachat {
  baseUrl: string;
  authUrl: string;
  /** The scopes for which tokens were given out. */
  issued: string[];
  /** All requests that models got. */
  asked: ProviderRequest[];
  /** Refuses all tokens that were given out so far. */
  revoke(): void;
  close(): Promise<void>;
}

/** GigaChat as developers.sber.ru describes it. @param options.lifeMs how long a token is valid; 30 minutes when absent */
export async function startGigachat({
  key,
  scope = "GIGACHAT_API_PERS",
  lifeMs = 30 * 60_000,
}: {
  key: string;
  scope?: string;
  lifeMs?: number;
}): Promise<Gigachat> {
  let good = new Set<string>();
  const issued: string[] = [];
  const asked: ProviderRequest[] = [];
  const provider = await startProvider((request, response) => {
    const { path, headers, body } = request;
    if (path === "/api/v2/oauth") {
      const wanted = new URLSearchParams(body).get("scope");
      if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/.test(String(headers.rquid)))
        return answer(response, 400, { code: 2, message: "RqUID" });
      if (headers.authorization !== `Basic ${key}`)
        return answer(response, 401, { code: 6, message: `credentials ${headers.authorization} do not match db data` });
      if (wanted !== scope)
        return answer(response, 400, { code: 7, message: "scope from db not fully includes consumed scope" });
      const token = randomUUID();
      good.add(token);
      issued.push(wanted);
      return answer(response, 200, { access_token: token, expires_at: Date.now() + lifeMs });
    }
    asked.push(request);
    if (!good.has(String(headers.authorization).replace("Bearer ", "")))
      return answer(response, 401, { status: 401, message: "Token has expired" });
    return complete(response, body);
  });
  return {
    baseUrl: `${provider.root}/api/v1`,
    authUrl: `${provider.root}/api/v2/oauth`,
    issued,
    asked,
    revoke: () => {
      good = new Set();
    },
    close: provider.close,
  };
}

export interface TlsServer {
  /** https://localhost:PORT/v1 */
  baseUrl: string;
  port: number;
  /** PEM of the authority that has signed its certificate, and the file that holds it. */
  root: string;
  rootFile: string;
  close(): Promise<void>;
}

/** A model, or whatever else answers so, behind TLS whose certificate is signed by an unknown authority. */
export async function startTlsModel(
  reply: (response: ServerResponse, body: string) => void = complete,
): Promise<TlsServer> {
  const folder = await mkdtemp(join(tmpdir(), "dt-tls-model-"));
  const at = (name: string) => join(folder, name);
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const made = (name: string, subject: string) => [
    ...[
      "req",
      "-x509",
      ...curve,
      "-keyout",
      at(`${name}.key`),
      "-out",
      at(`${name}.pem`),
      "-subj",
      subject,
      "-days",
      "2",
    ],
  ];
  await run("openssl", made("root", "/CN=Test Trusted Root CA"));
  await run("openssl", [
    ...made("server", "/CN=localhost"),
    ...["-CA", at("root.pem"), "-CAkey", at("root.key"), "-addext", "subjectAltName=DNS:localhost"],
    ...["-addext", "basicConstraints=critical,CA:FALSE"],
  ]);
  const server = createTlsServer(
    { key: await readFile(at("server.key")), cert: await readFile(at("server.pem")) },
    async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      reply(response, body);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ baseUrl: `https://localhost:${port}/v1`, port, rootFile: at("root.pem") },
    root: await readFile(at("root.pem"), "utf8"),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}
