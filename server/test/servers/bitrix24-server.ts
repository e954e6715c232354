/** A local Bitrix24 for tests: portal and token service in one, with codes and refresh tokens that are valid once, and a limit of calls. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { answer, type ProviderRequest, startProvider } from "./provider-server.ts";

export const BITRIX24_APP = { clientId: "local.bitrix-client", clientSecret: "bitrix-secret" };
const PER_SECOND = 7;
const HOUR_SECONDS = 3600;

type Fields = Record<string, unknown>;

export interface Bitrix24Server {
  /** The value for BITRIX24_URL. */
  root: string;
  contacts: (Fields & { ID: string })[];
  deals: (Fields & { ID: string })[];
  comments: { ENTITY_ID: string; COMMENT: string }[];
  grants: { grant: string; token: string; status: number }[];
  /** A user allows the access; returns a code. */
  allow(): string;
  /** Ends all access tokens at once, as if an hour had passed. */
  endAccess(): void;
  /** The next call of this method is done, and its answer is lost. */
  loseAnswer(method: string): void;
  close(): Promise<void>;
}

/** @param options.perSecond calls that are answered within a second */
export async function startBitrix24Server({ perSecond = PER_SECOND } = {}): Promise<Bitrix24Server> {
  const codes = new Set<string>();
  const refreshTokens = new Set<string>();
  const accessTokens = new Set<string>();
  const losses: string[] = [];
  let recent: number[] = [];
  let ids = 0;

  function grant(query: URLSearchParams): { status: number; body: unknown } {
    const refused = (error: string) => ({ status: 400, body: { error } });
    const [client, secret] = [query.get("client_id"), query.get("client_secret")];
    if (client !== BITRIX24_APP.clientId || secret !== BITRIX24_APP.clientSecret) return refused("invalid_client");
    const kind = query.get("grant_type") ?? "";
    const given = (kind === "authorization_code" ? query.get("code") : query.get("refresh_token")) ?? "";
    const valid = { authorization_code: codes, refresh_token: refreshTokens }[kind];
    const known = valid?.delete(given) ?? false;
    started.grants.push({ grant: kind, token: given, status: known ? 200 : 400 });
    if (!known) return refused("invalid_grant");
    const [access, refresh] = [randomUUID(), randomUUID()];
    accessTokens.add(access);
    refreshTokens.add(refresh);
    const endpoint = `${started.root}/rest/`;
    return {
      status: 200,
      body: { access_token: access, refresh_token: refresh, expires_in: HOUR_SECONDS, client_endpoint: endpoint },
    };
  }

  function rest(
    method: string,
    input: { fields?: Fields; filter?: Fields; id?: unknown; values?: unknown },
  ): { status: number; body: unknown } {
    const { fields = {}, filter = {} } = input;
    const matching = (rows: Fields[]) =>
      rows.filter((row) =>
        Object.entries(filter).every(([name, value]) =>
          Array.isArray(value) ? value.map(String).includes(String(row[name])) : row[name] === value,
        ),
      );
    const add = (rows: (Fields & { ID: string })[]) => {
      const ID = String(++ids);
      rows.push({ ID, ...fields });
      return { status: 200, body: { result: Number(ID) } };
    };
    switch (method) {
      case "crm.deal.get": {
        const deal = started.deals.find(({ ID }) => ID === String(input.id));
        if (deal === undefined) return { status: 400, body: { error: "", error_description: "Not found" } };
        return {
          status: 200,
          body: { result: { STAGE_ID: "NEW", CATEGORY_ID: "0", OPPORTUNITY: "1500.00", CURRENCY_ID: "RUB", ...deal } },
        };
      }
      case "crm.contact.get":
        return { status: 200, body: { result: started.contacts.find(({ ID }) => ID === String(input.id)) ?? null } };
      case "crm.status.list":
        return { status: 200, body: { result: filter.STATUS_ID === "NEW" ? [{ NAME: "Готовим заказ" }] : [] } };
      case "crm.duplicate.findbycomm": {
        // The real one compares digits alone.
        const digits = (value: unknown) => JSON.stringify(value ?? "").replace(/\D/g, "");
        const has = (row: Fields) =>
          (input.values as string[]).some((value) => digits(row.PHONE).includes(digits(value)));
        const ids = started.contacts.filter(has).map(({ ID }) => Number(ID));
        return { status: 200, body: { result: ids.length === 0 ? [] : { CONTACT: ids } } };
      }
      case "crm.contact.list":
        return { status: 200, body: { result: matching(started.contacts) } };
      case "crm.deal.list":
        return { status: 200, body: { result: matching(started.deals) } };
      case "crm.contact.add":
        return add(started.contacts);
      case "crm.deal.add":
        return add(started.deals);
      case "crm.timeline.comment.list":
        return {
          status: 200,
          body: { result: started.comments.filter(({ ENTITY_ID }) => ENTITY_ID === filter.ENTITY_ID) },
        };
      case "crm.timeline.comment.add":
        if (fields.ENTITY_TYPE !== "deal") return { status: 400, body: { error: "ENTITY_TYPE" } };
        started.comments.push({ ENTITY_ID: String(fields.ENTITY_ID), COMMENT: String(fields.COMMENT) });
        return { status: 200, body: { result: ++ids } };
      default:
        return { status: 404, body: { error: "ERROR_METHOD_NOT_FOUND" } };
    }
  }

  const provider = await startProvider(({ path, query, body }: ProviderRequest, response: ServerResponse) => {
    if (path === "/oauth/authorize/") {
      if (query.get("client_id") !== BITRIX24_APP.clientId) return answer(response, 400, { error: "invalid_client" });
      const back = new URL(query.get("redirect_uri") ?? "");
      const given = { code: started.allow(), state: query.get("state") ?? "", domain: "company.bitrix24.ru" };
      back.search = String(new URLSearchParams(given));
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    recent = recent.filter((at) => at > Date.now() - 1000);
    if (recent.length >= perSecond) return answer(response, 503, { error: "QUERY_LIMIT_EXCEEDED" });
    recent.push(Date.now());
    if (path === "/oauth/token/") {
      const { status, body: granted } = grant(query);
      return answer(response, status, granted);
    }
    const method = /^\/rest\/([\w.]+)\.json$/.exec(path)?.[1];
    const input = JSON.parse(body || "{}");
    if (method === undefined || !accessTokens.has(input.auth)) return answer(response, 401, { error: "expired_token" });
    const result = rest(method, input);
    const lost = losses.indexOf(method);
    if (lost >= 0) {
      losses.splice(lost, 1);
      response.socket?.resetAndDestroy();
      return;
    }
    answer(response, result.status, result.body);
  });
  const started: Bitrix24Server = {
    root: provider.root,
    contacts: [],
    deals: [],
    comments: [],
    grants: [],
    allow() {
      const code = randomUUID();
      codes.add(code);
      return code;
    },
    endAccess: () => accessTokens.clear(),
    loseAnswer: (method) => losses.push(method),
    close: provider.close,
  };
  return started;
}
