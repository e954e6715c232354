/** A local amoCRM for tests, as strict as the real one: codes and refresh tokens are valid once, redirect and client must be right, seven calls a second. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { answer, type ProviderRequest, startProvider } from "./provider-server.ts";

export const AMOCRM_APP = { clientId: "amo-client", clientSecret: "amo-secret" };
const PER_SECOND = 7;
const DAY_SECONDS = 24 * 3600;

export interface AmocrmServer {
  /** The value for AMOCRM_URL. */
  root: string;
  /** What the application has named as its redirect address. */
  redirectUrl: string;
  leads: { id: number; name: string; contactId: number; contact: Record<string, unknown>; notes: string[] }[];
  /** The grants that tokens were asked for with, and how each was answered. */
  grants: { grant: string; token: string; status: number }[];
  /** Calls that were refused because they came too fast. */
  tooFast: number;
  /** A user allows the access; returns a code. */
  allow(): string;
  /** The refresh token that was given out last. */
  lastRefreshToken(): string;
  /** Ends all access tokens at once, as if a day had passed. */
  endAccess(): void;
  /** What happens to the next calls whose path begins so: done and not answered, or neither. */
  lose(path: string, how: "after" | "before", times?: number): void;
  /** Resolves once a call was lost. */
  lost(): Promise<void>;
  close(): Promise<void>;
}

/** @param options.perSecond calls that are answered within a second */
export async function startAmocrmServer({ perSecond = PER_SECOND } = {}): Promise<AmocrmServer> {
  const codes = new Set<string>();
  const refreshTokens = new Set<string>();
  const accessTokens = new Set<string>();
  const losses: { path: string; how: "after" | "before" }[] = [];
  const waiting: (() => void)[] = [];
  let lostCount = 0;
  let ids = 100;
  let recent: number[] = [];

  const issue = () => {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    accessTokens.add(access);
    refreshTokens.add(refresh);
    return { token_type: "Bearer", expires_in: DAY_SECONDS, access_token: access, refresh_token: refresh };
  };

  function grant(input: Record<string, string>): { status: number; body: unknown } {
    const refused = (status: number, hint: string) => ({
      status,
      body: { hint, title: "Некорректный запрос", status },
    });
    const { client_id, client_secret, grant_type, redirect_uri } = input;
    if (client_id !== AMOCRM_APP.clientId || client_secret !== AMOCRM_APP.clientSecret) return refused(401, "client");
    if (redirect_uri !== started.redirectUrl) return refused(400, "redirect_uri");
    const [given, valid] =
      grant_type === "authorization_code"
        ? [input.code ?? "", codes]
        : grant_type === "refresh_token"
          ? [input.refresh_token ?? "", refreshTokens]
          : ["", new Set<string>()];
    const known = valid.delete(given);
    const result = known ? { status: 200, body: issue() } : refused(401, "Token has been revoked");
    started.grants.push({ grant: grant_type ?? "", token: given, status: result.status });
    return result;
  }

  function api({ method, path, query, body }: ProviderRequest): { status: number; body?: unknown } {
    const input = body === "" ? null : JSON.parse(body);
    if (method === "GET" && path === "/api/v4/leads") {
      const wanted = query.get("query") ?? "";
      const found = started.leads.filter(({ name }) => name.includes(wanted));
      if (found.length === 0) return { status: 204 };
      const leads = found.map(({ id, name, contactId }) => ({
        id,
        name,
        _embedded: { contacts: [{ id: contactId }] },
      }));
      return { status: 200, body: { _embedded: { leads: query.get("with") === "contacts" ? leads : found } } };
    }
    if (method === "POST" && path === "/api/v4/leads/complex") {
      const [lead] = input;
      const contact = lead._embedded.contacts[0];
      if (typeof lead.name !== "string" || typeof contact?.first_name !== "string") {
        return { status: 400, body: { title: "Bad Request", "validation-errors": [] } };
      }
      const made = { id: ++ids, name: lead.name, contactId: ++ids, contact, notes: [] };
      started.leads.push(made);
      return { status: 200, body: [{ id: made.id, contact_id: made.contactId, company_id: null, merged: false }] };
    }
    const shown = started.leads.find(({ id }) => method === "GET" && path === `/api/v4/leads/${id}`);
    if (shown !== undefined) {
      const { id, name, contactId } = shown;
      const _embedded = { contacts: [{ id: contactId }] };
      return { status: 200, body: { id, name, price: 1500, status_id: 7, pipeline_id: 3, _embedded } };
    }
    if (path === "/api/v4/leads/pipelines/3/statuses/7") return { status: 200, body: { id: 7, name: "Готовим заказ" } };
    const person = (one: (typeof started.leads)[number]) => ({
      ...{ id: one.contactId, name: one.contact.first_name },
      custom_fields_values: one.contact.custom_fields_values ?? null,
      _embedded: { leads: [{ id: one.id }] },
    });
    const owner = started.leads.find(({ contactId }) => path === `/api/v4/contacts/${contactId}`);
    if (owner !== undefined) return { status: 200, body: person(owner) };
    if (method === "GET" && path === "/api/v4/contacts") {
      const wanted = query.get("query") ?? "";
      const digits = (value: unknown) => JSON.stringify(value ?? "").replace(/\D/g, "");
      const found = started.leads.filter(({ contact }) => digits(contact.custom_fields_values).includes(wanted));
      return found.length === 0
        ? { status: 204 }
        : { status: 200, body: { _embedded: { contacts: found.map(person) } } };
    }
    const lead = started.leads.find(({ id }) => path === `/api/v4/leads/${id}/notes`);
    if (lead === undefined) return { status: 404, body: { title: "Not Found" } };
    if (method === "GET") {
      if (lead.notes.length === 0) return { status: 204 };
      const notes = lead.notes.map((text) => ({ note_type: "common", params: { text } }));
      return { status: 200, body: { _embedded: { notes } } };
    }
    if (input[0].note_type !== "common") return { status: 400, body: { title: "Bad Request" } };
    lead.notes.push(input[0].params.text);
    return { status: 200, body: { _embedded: { notes: [{ id: ++ids }] } } };
  }

  function handle(request: ProviderRequest, response: ServerResponse) {
    const { path, headers, method, query } = request;
    if (method === "GET" && path === "/oauth") {
      // The page on which a user presses «Разрешить».
      if (query.get("client_id") !== AMOCRM_APP.clientId) return answer(response, 400, { hint: "client_id" });
      const back = new URL(started.redirectUrl);
      const code = started.allow();
      back.search = String(
        new URLSearchParams({ code, state: query.get("state") ?? "", referer: "company.amocrm.ru" }),
      );
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    recent = recent.filter((at) => at > Date.now() - 1000);
    if (recent.length >= perSecond) {
      started.tooFast++;
      return answer(response, 429, { title: "Too Many Requests" });
    }
    recent.push(Date.now());
    const at = losses.findIndex((loss) => path.startsWith(loss.path));
    const [loss] = at < 0 ? [] : losses.splice(at, 1);
    if (loss?.how === "before") return lose();
    const token = headers.authorization?.replace("Bearer ", "") ?? "";
    const result =
      path === "/oauth2/access_token" && method === "POST"
        ? grant(JSON.parse(request.body))
        : accessTokens.has(token)
          ? api(request)
          : { status: 401, body: { title: "Unauthorized" } };
    if (loss?.how === "after") return lose();
    if (result.body === undefined) response.writeHead(result.status).end();
    else answer(response, result.status, result.body);
  }

  /** The call stays without an answer. */
  function lose(): void {
    lostCount++;
    for (const tell of waiting.splice(0)) tell();
  }

  const provider = await startProvider(handle);
  const started: AmocrmServer = {
    root: provider.root,
    redirectUrl: "http://localhost:3000/crm",
    leads: [],
    grants: [],
    tooFast: 0,
    allow() {
      const code = `code-${randomUUID()}`;
      codes.add(code);
      return code;
    },
    lastRefreshToken: () => [...refreshTokens].at(-1) ?? "",
    endAccess: () => accessTokens.clear(),
    lose(path, how, times = 1) {
      for (let time = 0; time < times; time++) losses.push({ path, how });
    },
    async lost() {
      if (lostCount === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      lostCount = 0;
    },
    close: provider.close,
  };
  return started;
}
