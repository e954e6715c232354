/**
 * amoCRM: OAuth 2 and API v4, without PKCE. An access token lives 24 hours, a refresh token three months and one use.
 * https://www.amocrm.ru/developers/content/oauth/step-by-step https://www.amocrm.ru/developers/content/crm_platform/leads-api
 */
import * as z from "zod/mini";
import { CRM_NAMES } from "#contract/integrations/crm.ts";
import { callCrm } from "./crm-call.ts";
import { type CrmCard, type CrmProtocol, type CrmTokens, CrmTrouble } from "./crm-system.ts";

const Pair = z.object({ access_token: z.string(), refresh_token: z.string(), expires_in: z.number() });
const Leads = z.object({
  _embedded: z.object({
    leads: z.array(
      z.object({
        id: z.number(),
        name: z.nullish(z.string()),
        _embedded: z.optional(z.object({ contacts: z.optional(z.array(z.object({ id: z.number() }))) })),
      }),
    ),
  }),
});
const Made = z.array(z.object({ id: z.number(), contact_id: z.number() }));
const Notes = z.object({
  _embedded: z.object({ notes: z.array(z.object({ params: z.optional(z.object({ text: z.optional(z.string()) })) })) }),
});
const NOTES_READ = 250;
const Lead = z.object({
  name: z.nullish(z.string()),
  price: z.nullish(z.number()),
  status_id: z.number(),
  pipeline_id: z.number(),
  _embedded: z.optional(z.object({ contacts: z.optional(z.array(z.object({ id: z.number() }))) })),
});
const Named = z.object({ name: z.string() });
const Person = z.object({
  name: z.nullish(z.string()),
  custom_fields_values: z.nullish(
    z.array(z.object({ field_code: z.nullish(z.string()), values: z.array(z.object({ value: z.unknown() })) })),
  ),
  _embedded: z.optional(z.object({ leads: z.optional(z.array(z.object({ id: z.number() }))) })),
});
const Contacts = z.object({ _embedded: z.object({ contacts: z.array(Person) }) });

function personIn(answer: unknown): { name: string; phones: string[]; email: string } {
  const person = Person.safeParse(answer).data;
  const valuesOf = (code: string) =>
    (person?.custom_fields_values ?? [])
      .filter(({ field_code }) => field_code === code)
      .flatMap(({ values }) => values.map(({ value }) => String(value)));
  return { name: person?.name ?? "", phones: valuesOf("PHONE"), email: valuesOf("EMAIL")[0] ?? "" };
}

/** A deal that does not exist is refused. */
function absent(error: unknown): null {
  if (error instanceof CrmTrouble && error.kind === "refused") return null;
  throw error;
}

/** @param root another address for all calls, for tests; null: the accounts' own */
export function amocrm(root: string | null): CrmProtocol {
  const at = (host: string, path: string) => new URL(path, root ?? `https://${host}`);
  const shared = { system: "amocrm", name: CRM_NAMES.amocrm, local: root !== null } as const;

  async function pair(host: string, app: CrmTokens["app"], grant: object, redirectUrl: string): Promise<CrmTokens> {
    const { clientId, clientSecret } = app;
    const json = { client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUrl, ...grant };
    const answer = await callCrm({ ...shared, url: at(host, "/oauth2/access_token"), method: "POST", json }).catch(
      refusedIsAuth,
    );
    const { access_token, refresh_token, expires_in } = z.parse(Pair, answer);
    const expiresAt = Date.now() + expires_in * 1000;
    return { accessToken: access_token, refreshToken: refresh_token, expiresAt, app };
  }

  return {
    system: "amocrm",
    signInUrl(_host, { clientId }, state) {
      const url = new URL("/oauth", root ?? "https://www.amocrm.ru");
      url.search = String(new URLSearchParams({ client_id: clientId, state, mode: "popup" }));
      return url.href;
    },
    exchange: (host, app, code, redirectUrl) =>
      pair(host, app, { grant_type: "authorization_code", code }, redirectUrl),
    refresh: (host, { app, refreshToken }, redirectUrl) =>
      pair(host, app, { grant_type: "refresh_token", refresh_token: refreshToken }, redirectUrl),
    open(host, accessToken, ending) {
      const call = (method: "GET" | "POST", path: string, json?: unknown) =>
        callCrm({
          ...shared,
          url: at(host, path),
          method,
          accessToken,
          ending,
          ...(json === undefined ? {} : { json }),
        });
      /** The search also matches other fields and parts of numbers, so the phone is compared. */
      async function latestLeadOf(phone: string): Promise<string | null> {
        const digits = phone.replace(/\D/g, "").slice(-10);
        if (digits.length < 10) return null;
        const query = new URLSearchParams({ query: digits, with: "leads" });
        const found = Contacts.safeParse(await call("GET", `/api/v4/contacts?${query}`)).data?._embedded.contacts ?? [];
        const own = found.filter((one) => personIn(one).phones.some((has) => has.replace(/\D/g, "").endsWith(digits)));
        const leads = own.flatMap((one) => one._embedded?.leads ?? []).map(({ id }) => id);
        return leads.length === 0 ? null : String(Math.max(...leads));
      }
      return {
        async find({ key }) {
          const query = new URLSearchParams({ query: markOf(key), with: "contacts" });
          const answer = await call("GET", `/api/v4/leads?${query}`);
          const leads = Leads.safeParse(answer).data?._embedded.leads ?? [];
          // The search also matches words in other fields, so the name is checked.
          const lead = leads.find(({ name }) => name?.includes(markOf(key)));
          if (lead === undefined) return { contactId: null, dealId: null };
          const contact = lead._embedded?.contacts?.[0]?.id;
          return { dealId: String(lead.id), contactId: contact === undefined ? null : String(contact) };
        },
        // One call creates both, so that neither exists without the other.
        async make(card) {
          const [made] = z.parse(Made, await call("POST", "/api/v4/leads/complex", [leadOf(card)]));
          if (made === undefined) throw new CrmTrouble("refused", `${CRM_NAMES.amocrm} не создаёт сделку`);
          return { dealId: String(made.id), contactId: String(made.contact_id) };
        },
        async hasNote(dealId, part) {
          const answer = await call("GET", `/api/v4/leads/${dealId}/notes?limit=${NOTES_READ}`);
          const notes = Notes.safeParse(answer).data?._embedded.notes ?? [];
          return notes.some(({ params }) => params?.text?.includes(part));
        },
        async deal({ deal, phone }) {
          const id = deal ?? (await latestLeadOf(phone ?? ""));
          if (id === null || !/^\d{1,12}$/.test(id)) return null;
          const lead = Lead.safeParse(await call("GET", `/api/v4/leads/${id}?with=contacts`).catch(absent)).data;
          if (lead === undefined) return null;
          const stage = await call("GET", `/api/v4/leads/pipelines/${lead.pipeline_id}/statuses/${lead.status_id}`);
          const contactId = lead._embedded?.contacts?.[0]?.id;
          const contact = contactId === undefined ? null : await call("GET", `/api/v4/contacts/${contactId}`);
          return {
            ...{ number: id, title: lead.name ?? "", stage: Named.safeParse(stage).data?.name ?? "" },
            ...{ amount: lead.price ? String(lead.price) : "", contact: personIn(contact) },
          };
        },
        async addNote(dealId, text) {
          await call("POST", `/api/v4/leads/${dealId}/notes`, [{ note_type: "common", params: { text } }]);
        },
      };
    },
  };
}

/** Part of the deal's name, because amoCRM searches deals by the content of their fields. */
const markOf = (key: string): string => `DT-${key.replaceAll("-", "").slice(0, 12).toUpperCase()}`;

function leadOf(card: CrmCard) {
  const { key, name, phone, email, from } = card;
  const fields = [
    ...(phone === null ? [] : [{ field_code: "PHONE", values: [{ value: phone, enum_code: "WORK" }] }]),
    ...(email === null ? [] : [{ field_code: "EMAIL", values: [{ value: email, enum_code: "WORK" }] }]),
  ];
  const contact = { first_name: name, ...(fields.length > 0 ? { custom_fields_values: fields } : {}) };
  return { name: `${name} · ${from} · ${markOf(key)}`, _embedded: { contacts: [contact] } };
}

/** amoCRM responds with 400 or 401 to a token or code that is unknown, used or of another application. */
function refusedIsAuth(error: unknown): never {
  if (error instanceof CrmTrouble && error.kind === "refused") {
    throw new CrmTrouble("auth", `${CRM_NAMES.amocrm} не принимает ключ`, { cause: error });
  }
  throw error;
}
