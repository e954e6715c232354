/** A local Graph API for tests, and deliveries like Meta's: batches that are signed with the app's secret. */
import { createHmac } from "node:crypto";
import { answer, Fates, startProvider } from "./provider-server.ts";

export interface WhatsappServer {
  /** The value for WHATSAPP_GRAPH_URL. */
  root: string;
  fates: Fates;
  /** Texts whose links the platform was left to preview. */
  previews: string[];
  /** The delivered messages in order. */
  sent: { to: string; text: string; key: string }[];
  /** Number of calls that send a message, successful or not. */
  sends: number;
  /** Ids of messages that were marked as read, with a typing indicator. */
  reads: string[];
  /** What contacts have sent, by media id. */
  kept: Map<string, Buffer>;
  /** Tokens that are refused with 190. */
  revoked: Set<string>;
  close(): Promise<void>;
}

/** Token `EAA-7` reaches the number +7 999 000-00-07 with the id 1055507; `EAA-none` reaches none, `EAA-both` two. */
export async function startWhatsappServer(): Promise<WhatsappServer> {
  const fates = new Fates();
  let wamid = 0;
  const provider = await startProvider(({ method, path, query, headers, body }, response) => {
    const token = headers.authorization?.replace("Bearer ", "") ?? "";
    const place = path.replace(/^\/v\d+\.\d+/, "");
    const which = /^EAA-(\w+)$/.exec(token)?.[1];
    if (which === undefined || started.revoked.has(token)) return answer(response, 401, refusal(190));
    const input = body === "" ? {} : JSON.parse(body);
    if (place === "/debug_token" && query.get("input_token") === token) {
      const scopes = [{ scope: "whatsapp_business_messaging", target_ids: which === "none" ? [] : [`WABA-${which}`] }];
      return answer(response, 200, { data: { app_id: "1", is_valid: true, granular_scopes: scopes } });
    }
    if (place === `/WABA-${which}/phone_numbers`) {
      const numbers = which === "both" ? ["1", "2"] : [which];
      return answer(response, 200, { data: numbers.map(numberOf) });
    }
    const [, asked, media] = /^\/(media-at\/)?(\d{6,20})$/.exec(place) ?? [];
    const bytes = started.kept.get(media ?? "");
    if (method === "GET" && bytes !== undefined) {
      if (asked === undefined) {
        const about = { messaging_product: "whatsapp", mime_type: "audio/ogg", file_size: bytes.length, id: media };
        return answer(response, 200, { ...about, url: `${started.root}/media-at/${media}` });
      }
      response.writeHead(200, { "content-type": "audio/ogg" });
      response.end(bytes);
      return;
    }
    if (method !== "POST" || !/^\/105550\w+\/messages$/.test(place)) return answer(response, 400, refusal(100));
    if (input.status === "read") {
      if (input.typing_indicator?.type === "text") started.reads.push(input.message_id);
      return answer(response, 200, { success: true });
    }
    started.sends++;
    if (input.text.body.length > 4096) return answer(response, 400, refusal(100));
    fates.meet(input.to ?? input.recipient, response, () => {
      if (input.text.preview_url !== false) started.previews.push(input.text.body);
      started.sent.push({
        to: input.to ?? `user ${input.recipient}`,
        text: input.text.body,
        key: input.biz_opaque_callback_data,
      });
      return { messaging_product: "whatsapp", messages: [{ id: `wamid.out${++wamid}` }] };
    });
  });
  const started: WhatsappServer = {
    root: provider.root,
    fates,
    sent: [],
    previews: [],
    sends: 0,
    reads: [],
    kept: new Map(),
    revoked: new Set(),
    close: provider.close,
  };
  return started;
}

const numberOf = (which: string) => ({
  id: `105550${which}`,
  display_phone_number: `+7 999 000-00-${which.padStart(2, "0")}`,
});

export const refusal = (code: number) => ({ error: { message: "refused", type: "OAuthException", code } });

/** A contact's message in the form of a delivery. */
export const whatsappMessage = (from: string, id: string, text: string, at = Date.now()) => ({
  from,
  id,
  timestamp: String(Math.floor(at / 1000)),
  type: "text",
  text: { body: text },
});

/** The body of one delivery. */
export const whatsappDelivery = (
  phoneNumberId: string,
  { messages = [], statuses = [], echoes }: { messages?: object[]; statuses?: object[]; echoes?: object[] },
) => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: "WABA",
      changes: [
        {
          field: echoes === undefined ? "messages" : "smb_message_echoes",
          value: {
            messaging_product: "whatsapp",
            metadata: { display_phone_number: "79990000001", phone_number_id: phoneNumberId },
            contacts: messages.map((message) => ({
              profile: { name: "Иван" },
              wa_id: (message as { from: string }).from,
            })),
            ...(echoes === undefined ? { messages, statuses } : { message_echoes: echoes }),
          },
        },
      ],
    },
  ],
});

export const whatsappSignature = (body: string, appSecret: string): Record<string, string> => ({
  "x-hub-signature-256": `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`,
});
