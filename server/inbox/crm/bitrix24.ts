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
