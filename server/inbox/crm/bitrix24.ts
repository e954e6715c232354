/**
 * Bitrix24: OAuth 2 and REST, without PKCE. An access token lives an hour, a refresh token 180 days or until it is used.
 * https://apidocs.bitrix24.com/settings/oauth/index.html https://apidocs.bitrix24.com/api-reference/crm/
 */
import * as z from "zod/mini";
import { CRM_NAMES } from "#contract/integrations/crm.ts";
import { callCrm } from "./crm-call.ts";
import { type CrmProtocol, type CrmTokens, CrmTrouble } from "./crm-system.ts";

const Pair = z.object({ access_token: z.string(), refresh_token: z.string(), expires_in: z.coerce.number() });
const Id = z.object({ result: z.union([z.number(), z.string()]) });
const Rows = z.object({ result: z.array(z.object({ ID: z.union([z.number(), z.string()]) })) });
const Comments = z.object({ result: z.array(z.object({ COMMENT: z.nullish(z.string()) })) });
const Text = z.nullish(z.union([z.string(), z.number()]));
const Deal = z.object({
  result: z.object({
    TITLE: z.nullish(z.string()),
    STAGE_ID: z.nullish(z.string()),
    CATEGORY_ID: Text,
    OPPORTUNITY: Text,
    CURRENCY_ID: z.nullish(z.string()),
    CONTACT_ID: Text,
  }),
});
const Values = z.nullish(z.array(z.object({ VALUE: z.string() })));
const Contact = z.object({
  result: z.object({ NAME: z.nullish(z.string()), LAST_NAME: z.nullish(z.string()), PHONE: Values, EMAIL: Values }),
});
const Stages = z.object({ result: z.array(z.object({ NAME: z.string() })) });
/** `result` is a list where nothing is found. */
const Duplicates = z.object({ result: z.object({ CONTACT: z.array(z.union([z.number(), z.string()])) }) });

/** A deal that does not exist is refused. */
function absent(error: unknown): null {
  if (error instanceof CrmTrouble && error.kind === "refused") return null;
  throw error;
}
/** The ORIGINATOR_ID of records that we create, by which we find them again. */
const ORIGINATOR = "digital-twins";

/** @param root another address for all calls, for tests; null: the portals' own and the token service */
export function bitrix24(root: string | null): CrmProtocol {
  const shared = { system: "bitrix24", name: CRM_NAMES.bitrix24, local: root !== null } as const;

  async function pair(app: CrmTokens["app"], grant: Record<string, string>): Promise<CrmTokens> {
    const url = new URL("/oauth/token/", root ?? "https://oauth.bitrix.info");
    url.search = String(new URLSearchParams({ client_id: app.clientId, client_secret: app.clientSecret, ...grant }));
    const answer = await callCrm({ ...shared, url, method: "GET" }).catch(refusedIsAuth);
    const { access_token, refresh_token, expires_in } = z.parse(Pair, answer);
    const expiresAt = Date.now() + expires_in * 1000;
    return { accessToken: access_token, refreshToken: refresh_token, expiresAt, app };
  }

  return {
    system: "bitrix24",
    signInUrl(host, { clientId }, state, redirectUrl) {
      const url = new URL("/oauth/authorize/", root ?? `https://${host}`);
      const query = { client_id: clientId, response_type: "code", state, redirect_uri: redirectUrl };
      url.search = String(new URLSearchParams(query));
      return url.href;
    },
    exchange: (_host, app, code) => pair(app, { grant_type: "authorization_code", code }),
    refresh: (_host, { app, refreshToken }) => pair(app, { grant_type: "refresh_token", refresh_token: refreshToken }),
    open(host, accessToken, ending) {
      const call = (method: string, json: Record<string, unknown>) =>
        callCrm({
          ...shared,
          url: new URL(`/rest/${method}.json`, root ?? `https://${host}`),
          method: "POST",
          json: { ...json, auth: accessToken },
          ending,
        });
      const findId = async (method: string, key: string) => {
        const filter = { ORIGINATOR_ID: ORIGINATOR, ORIGIN_ID: key };
        const { result } = z.parse(Rows, await call(method, { filter, select: ["ID"] }));
        return result[0] === undefined ? null : String(result[0].ID);
      };
      const add = async (method: string, fields: object) => String(z.parse(Id, await call(method, { fields })).result);
      async function latestDealOf(phone: string): Promise<string | null> {
        const digits = phone.replace(/\D/g, "");
        if (digits.length < 10) return null;
        const values = [digits, `+${digits}`, `8${digits.slice(-10)}`, `+7${digits.slice(-10)}`];
        const found = await call("crm.duplicate.findbycomm", { entity_type: "CONTACT", type: "PHONE", values });
        const contacts = Duplicates.safeParse(found).data?.result.CONTACT ?? [];
        if (contacts.length === 0) return null;
        const query = { filter: { CONTACT_ID: contacts }, order: { ID: "DESC" }, select: ["ID"] };
        const latest = Rows.safeParse(await call("crm.deal.list", query)).data?.result[0];
        return latest === undefined ? null : String(latest.ID);
      }
      return {
        async find({ key }) {
          return { contactId: await findId("crm.contact.list", key), dealId: await findId("crm.deal.list", key) };
        },
        async make({ key, name, phone, email, from }, found) {
          const origin = { ORIGINATOR_ID: ORIGINATOR, ORIGIN_ID: key };
          const contactId =
            found.contactId ??
            (await add("crm.contact.add", {
              NAME: name,
              ...(phone === null ? {} : { PHONE: [{ VALUE: phone, VALUE_TYPE: "WORK" }] }),
              ...(email === null ? {} : { EMAIL: [{ VALUE: email, VALUE_TYPE: "WORK" }] }),
              ...origin,
            }));
          const deal = { TITLE: `${name} · ${from}`, CONTACT_ID: contactId, ...origin };
          return { contactId, dealId: found.dealId ?? (await add("crm.deal.add", deal)) };
        },
        async hasNote(dealId, part) {
          const filter = { ENTITY_ID: dealId, ENTITY_TYPE: "deal" };
          const { result } = z.parse(Comments, await call("crm.timeline.comment.list", { filter }));
          return result.some(({ COMMENT }) => COMMENT?.includes(part));
        },
        async deal({ deal, phone }) {
          const id = deal ?? (await latestDealOf(phone ?? ""));
          if (id === null || !/^\d{1,12}$/.test(id)) return null;
          const found = Deal.safeParse(await call("crm.deal.get", { id }).catch(absent)).data?.result;
          if (found === undefined) return null;
          const category = Number(found.CATEGORY_ID ?? 0);
          const stages = await call("crm.status.list", {
            filter: { ENTITY_ID: category === 0 ? "DEAL_STAGE" : `DEAL_STAGE_${category}`, STATUS_ID: found.STAGE_ID },
          });
          const person =
            Number(found.CONTACT_ID ?? 0) > 0 ? await call("crm.contact.get", { id: found.CONTACT_ID }) : null;
          const contact = Contact.safeParse(person).data?.result;
          const amount = Number(found.OPPORTUNITY ?? 0);
          return {
            ...{ number: id, title: found.TITLE ?? "", stage: Stages.safeParse(stages).data?.result[0]?.NAME ?? "" },
            amount: amount > 0 ? `${amount} ${found.CURRENCY_ID ?? ""}`.trim() : "",
            contact: {
              name: [contact?.NAME, contact?.LAST_NAME].filter(Boolean).join(" "),
              phones: (contact?.PHONE ?? []).map(({ VALUE }) => VALUE),
              email: contact?.EMAIL?.[0]?.VALUE ?? "",
            },
          };
        },
        async addNote(dealId, text) {
          const fields = { ENTITY_ID: dealId, ENTITY_TYPE: "deal", COMMENT: text };
          await add("crm.timeline.comment.add", fields);
        },
      };
    },
  };
}

function refusedIsAuth(error: unknown): never {
  if (error instanceof CrmTrouble && error.kind === "refused") {
    throw new CrmTrouble("auth", `${CRM_NAMES.bitrix24} не принимает ключ`, { cause: error });
  }
  throw error;
}
