/**
 * GET requests to the hub's own origin and, after redirects, to the hosts that may serve its files. Each redirect is checked before it is
 * followed. The usual environment variables set a proxy (`proxyEnv` of Node's agents, since 24.5).
 */
import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, get as httpsGet } from "node:https";
import { type ModelHubConfig, proxyEnvironment } from "#server/platform/config.ts";
import { HubFailure } from "./hub-failures.ts";

const REDIRECTS = 5;
const REDIRECTED: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);
/** Milliseconds until the head of a response. */
const ANSWER_MS = 30_000;

export interface HubRequests {
  readonly origin: string;
  /**
   * Returns the response (200 or 206) to a path on the hub after redirects, with its body unread.
   * @throws HubFailure; the signal's reason
   */
  get(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage>;
}

export function hubRequests({ origin, fileHosts }: ModelHubConfig): HubRequests {
  const proxyEnv = proxyEnvironment();
  const agents = { "http:": new HttpAgent({ proxyEnv }), "https:": new HttpsAgent({ proxyEnv }) };
  const own = new URL(origin);

  function mayAsk(url: URL): boolean {
    if (url.origin === own.origin) return true;
    if (url.protocol !== "https:" && own.protocol === "https:") return false;
    if (url.protocol !== "https:" && url.protocol !== "http:") return false;
    if (url.username !== "" || url.password !== "") return false;
    const host = url.hostname.toLowerCase();
    return [own.hostname, ...fileHosts].some((allowed) => {
      const [name, port] = partsOf(allowed);
      const named = host === name || (host.endsWith(`.${name}`) && name.includes("."));
      return named && (port === undefined ? isUsualPort(url) : url.port === port);
    });
  }

  const once = (url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const get = url.protocol === "https:" ? httpsGet : httpGet;
      const agent = agents[url.protocol as keyof typeof agents];
      const asking = get(url, { agent, headers: { "user-agent": "digital-twins", ...headers }, signal }, resolve);
      asking.setTimeout(ANSWER_MS, () => asking.destroy(new HubFailure("unreachable")));
      asking.on("error", (error) => {
        if (signal.aborted) reject(signal.reason);
        else reject(error instanceof HubFailure ? error : new HubFailure("unreachable", { cause: error }));
      });
    });

  return {
    origin: own.origin,
    async get(path, headers, signal) {
      let url = new URL(path, own);
      for (let step = 0; step <= REDIRECTS; step++) {
        if (!mayAsk(url)) throw new HubFailure("elsewhere");
        const answer = await once(url, headers, signal);
        const { statusCode: status, headers: told } = answer;
        if (status === 200 || status === 206) return answer;
        answer.destroy();
        if (REDIRECTED.has(status) && told.location !== undefined) {
          if (!URL.canParse(told.location, url.href)) throw new HubFailure("odd");
          url = new URL(told.location, url.href);
          continue;
        }
        if (status === 404) throw new HubFailure("not-found");
        if (status === 416) throw new HubFailure("changed");
        if (status !== undefined && status >= 500) throw new HubFailure("unreachable");
        throw new HubFailure(status === 401 || status === 403 || status === 429 ? "refused" : "odd");
      }
      throw new HubFailure("odd");
    },
  };
}

/** Splits a settings entry such as «127.0.0.1:8080»; without a port, the protocol's default port applies. */
const partsOf = (allowed: string): [string, string | undefined] => {
  const at = allowed.lastIndexOf(":");
  return at > 0 && /^\d+$/.test(allowed.slice(at + 1))
    ? [allowed.slice(0, at), allowed.slice(at + 1)]
    : [allowed, undefined];
};

/** The URL parser drops the protocol's default port. */
const isUsualPort = (url: URL): boolean => url.port === "";
