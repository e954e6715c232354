/** Signs in to an MCP server by OAuth: discovery, registration of this server as a client, authorization code with PKCE, refresh. */
import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { TOOL_ANSWER_BYTES, TOOL_TIMEOUT_MS } from "#contract/actions/tool-settings.ts";
import { proxyFailureOf } from "#server/platform/network/proxy-failure.ts";
import { checkAddress } from "#server/platform/network/public-request.ts";
import { publicFetch } from "./public-fetch.ts";
import { type ServerPlace, visitServer } from "./session.ts";
import { ServerTrouble, troubleOf } from "./trouble.ts";

/** What is kept of a sign-in, sealed. */
export interface OAuthSecrets {
  redirectUrl: string;
  client?: OAuthClientInformationMixed;
  tokens?: OAuthTokens;
  /** Of a sign-in that was begun. */
  verifier?: string;
  discovery?: OAuthDiscoveryState;
}

type Place = Omit<ServerPlace, "headers">;

/** Milliseconds for all requests of one step. */
const STEP_MS = 30_000;

/** The library reads and writes what is kept; `asked` is the address to which it would send the browser. */
class Provider implements OAuthClientProvider {
  asked: URL | null = null;
  readonly kept: OAuthSecrets;
  readonly #state: string | null;

  /** @param state of a sign-in by a person; null: only what is kept may be used */
  constructor(kept: OAuthSecrets, state: string | null) {
    this.kept = structuredClone(kept);
    this.#state = state;
  }

  get redirectUrl() {
    return this.kept.redirectUrl;
  }

  get clientMetadata() {
    return {
      client_name: "Цифровые двойники",
      redirect_uris: [this.kept.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  state() {
    return this.#state ?? "";
  }

  clientInformation() {
    return this.kept.client;
  }

  saveClientInformation(client: OAuthClientInformationMixed) {
    this.kept.client = client;
  }

  tokens() {
    return this.kept.tokens;
  }

  saveTokens(tokens: OAuthTokens) {
    this.kept.tokens = tokens;
  }

  redirectToAuthorization(url: URL) {
    this.asked = url;
  }

  saveCodeVerifier(verifier: string) {
    if (this.#state !== null) this.kept.verifier = verifier;
  }

  codeVerifier() {
    return this.kept.verifier ?? "";
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState) {
    this.kept.discovery = discovery;
  }

  discoveryState() {
    return this.kept.discovery;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery") {
    // Without a person nothing may be registered anew.
    if (this.#state === null && scope !== "tokens") throw signInAgain();
    if (scope === "all" || scope === "client") delete this.kept.client;
    if (scope === "all" || scope === "tokens") delete this.kept.tokens;
    if (scope === "all" || scope === "verifier") delete this.kept.verifier;
    if (scope === "all" || scope === "discovery") delete this.kept.discovery;
  }
}

const signInAgain = (cause?: unknown) =>
  new ServerTrouble("sign-in", "Сервер больше не принимает вход: подключите его снова", { cause });

const fetchOf = ({ loopback, proxy, signal }: Place) =>
  publicFetch({
    ...{ loopback, proxy, signal: AbortSignal.any([signal, AbortSignal.timeout(STEP_MS)]) },
    ...{ timeoutMs: TOOL_TIMEOUT_MS, maxBytes: () => TOOL_ANSWER_BYTES },
  });

/** @returns where the person signs in, and what is to be kept until then. @throws ServerTrouble */
export async function beginSignIn(
  place: Place,
  { redirectUrl, state }: { redirectUrl: string; state: string },
): Promise<{ url: string; kept: OAuthSecrets }> {
  const provider = new Provider({ redirectUrl }, state);
  try {
    await visitServer({ ...place, headers: {} }, async () => {}, provider);
  } catch (error) {
    if (provider.asked === null) throw unsupported(error);
  }
  if (provider.asked === null) throw new ServerTrouble("refused", "Сервер не просит входа: подключите его без ключа");
  try {
    checkAddress(provider.asked, place.loopback);
  } catch (error) {
    throw troubleOf(error);
  }
  return { url: provider.asked.href, kept: provider.kept };
}

/** What the server said where it could not be signed in to. */
function unsupported(error: unknown): ServerTrouble {
  const trouble = troubleOf(error);
  return trouble.kind === "sign-in" || trouble.kind === "lost"
    ? new ServerTrouble(
        trouble.kind,
        "Войти не получилось: сервер входа не ответил или не регистрирует программы сам",
        {
          cause: error,
        },
      )
    : trouble;
}

/** @param issuer who sent the code, where he said so. @returns what is to be kept. @throws ServerTrouble */
export async function completeSignIn(
  place: Place,
  kept: OAuthSecrets,
  { code, issuer }: { code: string; issuer: string | undefined },
): Promise<OAuthSecrets> {
  const server = kept.discovery?.authorizationServerUrl;
  const known = [server, kept.discovery?.authorizationServerMetadata?.issuer].map(plainAddress);
  // A code of another server must not be shown to this one.
  if (issuer !== undefined && !known.includes(plainAddress(issuer)))
    throw new ServerTrouble("refused", "Код прислал не тот сервер входа. Начните вход заново");
  const provider = new Provider(kept, "");
  const { auth } = await import("@modelcontextprotocol/sdk/client/auth.js");
  try {
    await auth(provider, { serverUrl: place.url, authorizationCode: code, fetchFn: fetchOf(place) });
  } catch (error) {
    if (proxyFailureOf(error) !== null) throw troubleOf(error);
    throw new ServerTrouble("refused", "Сервер не принял вход. Начните его заново", { cause: error });
  }
  const { verifier: _, ...signedIn } = provider.kept;
  return signedIn;
}

const plainAddress = (address: string | undefined): string => (address ?? "").replace(/\/$/, "");

/** Uses the refresh token. @returns what is to be kept. @throws ServerTrouble of the kind `sign-in` where a person must sign in again */
export async function refreshSignIn(place: Place, kept: OAuthSecrets): Promise<OAuthSecrets> {
  if (kept.tokens?.refresh_token === undefined) throw signInAgain();
  const provider = new Provider(kept, null);
  const { auth } = await import("@modelcontextprotocol/sdk/client/auth.js");
  let result: string;
  try {
    result = await auth(provider, { serverUrl: place.url, fetchFn: fetchOf(place) });
  } catch (error) {
    const trouble = troubleOf(error);
    throw trouble.kind === "lost" && isRefusal(error) ? signInAgain(error) : trouble;
  }
  if (result !== "AUTHORIZED") throw signInAgain();
  return provider.kept;
}

/** Errors of OAuth itself, as against those of the network. */
const isRefusal = (error: unknown): boolean => typeof (error as { errorCode?: unknown })?.errorCode === "string";
