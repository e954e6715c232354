/** A small OAuth server: metadata, registration of clients, codes with PKCE, tokens that are refreshed once and may be revoked. */
import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface AuthServer {
  /** Whether the MCP server asks for a token. */
  required: boolean;
  /** Bodies of requests by path, in their order. */
  asked: { path: string; body: string }[];
  /** Overrides single entries of the metadata. */
  metadata: Record<string, unknown>;
  /** Overrides the address of the authorization server that the MCP server names. */
  servers: string[] | null;
  accessTokens: Set<string>;
  refreshTokens: Set<string>;
  /** What the browser would do: opens the address, allows it. @returns the parameters with which it comes back */
  allow(url: string): { code: string; state: string; redirectUri: string };
  /** Answers what belongs to it, and what has no token where one is required. @returns whether it has */
  handle(request: IncomingMessage, response: ServerResponse, body: string): Promise<boolean>;
  reset(): void;
}

export function authServer(origin: string): AuthServer {
  const clients = new Map<string, string[]>();
  const codes = new Map<string, { challenge: string; client: string; redirectUri: string }>();
  const json = (response: ServerResponse, status: number, value: unknown) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    return true;
  };

  function tokens() {
    const [access, refresh] = [`at-${randomUUID()}`, `rt-${randomUUID()}`];
    state.accessTokens.add(access);
    state.refreshTokens.add(refresh);
    return { access_token: access, token_type: "Bearer", expires_in: 3600, refresh_token: refresh };
  }

  function grant(params: URLSearchParams): [status: number, body: unknown] {
    if (!clients.has(params.get("client_id") ?? "")) return [401, { error: "invalid_client" }];
    if (params.get("grant_type") === "refresh_token")
      return state.refreshTokens.delete(params.get("refresh_token") ?? "")
        ? [200, tokens()]
        : [400, { error: "invalid_grant" }];
    const code = codes.get(params.get("code") ?? "");
    codes.delete(params.get("code") ?? "");
    const proof = createHash("sha256")
      .update(params.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight = code?.challenge === proof && code.client === params.get("client_id");
    return isRight && code.redirectUri === params.get("redirect_uri")
      ? [200, tokens()]
      : [400, { error: "invalid_grant" }];
  }

  const state: AuthServer = {
    ...{ required: false, asked: [], metadata: {}, servers: null, accessTokens: new Set(), refreshTokens: new Set() },
    allow(url) {
      const params = new URL(url).searchParams;
      const [client, redirectUri] = [params.get("client_id") ?? "", params.get("redirect_uri") ?? ""];
      if (!clients.get(client)?.includes(redirectUri)) throw new Error("another redirect address");
      if (params.get("code_challenge_method") !== "S256") throw new Error("no PKCE");
      const code = randomUUID();
      codes.set(code, { challenge: params.get("code_challenge") ?? "", client, redirectUri });
      return { code, state: params.get("state") ?? "", redirectUri };
    },
    async handle(request, response, body) {
      const path = new URL(request.url ?? "", origin).pathname;
      if (path.startsWith("/.well-known/oauth-protected-resource")) {
        if (!state.required) return json(response, 404, {});
        const resource = { resource: `${origin}/mcp`, authorization_servers: state.servers ?? [origin] };
        return json(response, 200, resource);
      }
      if (path === "/.well-known/oauth-authorization-server")
        return json(response, state.required ? 200 : 404, {
          ...{ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
          ...{ registration_endpoint: `${origin}/register`, response_types_supported: ["code"] },
          ...{ grant_types_supported: ["authorization_code", "refresh_token"] },
          ...{ code_challenge_methods_supported: ["S256"], token_endpoint_auth_methods_supported: ["none"] },
          ...state.metadata,
        });
      if (path === "/register" || path === "/token") state.asked.push({ path, body });
      if (path === "/register") {
        const { redirect_uris } = JSON.parse(body);
        const id = randomUUID();
        clients.set(id, redirect_uris);
        return json(response, 201, { client_id: id, ...JSON.parse(body) });
      }
      if (path === "/token") return json(response, ...grant(new URLSearchParams(body)));
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
      if (!state.required || state.accessTokens.has(token)) return false;
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}"` }).end();
      return true;
    },
    reset() {
      Object.assign(state, { required: false, asked: [], metadata: {}, servers: null });
      state.accessTokens.clear();
      state.refreshTokens.clear();
      clients.clear();
      codes.clear();
    },
  };
  return state;
}
