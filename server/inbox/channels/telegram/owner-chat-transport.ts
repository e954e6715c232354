/** Sends and updates cards with buttons in the owner's own chat with his bot. */
import { type Api, GrammyError } from "grammy";
import type { Card, OwnerChatTransport, SendResult } from "#server/inbox/channel-protocol/channel.ts";
import { sendFailure } from "./errors.ts";
import type { GrammySignal } from "./grammy-signal.ts";
import { escapeMarkup, NO_PREVIEW } from "./text.ts";

/** Other people's texts are escaped, so that nothing in them becomes markup. */
const cardHtml = ({ title, lines, quotes }: Card): string =>
  [
    `<b>${escapeMarkup(title)}</b>`,
    lines.map(({ label, text }) => `${escapeMarkup(label)}: ${escapeMarkup(text)}`).join("\n"),
    ...quotes.map(({ label, text }) => `<b>${escapeMarkup(label)}</b>\n<blockquote>${escapeMarkup(text)}</blockquote>`),
  ]
    .filter((part) => part !== "")
    .join("\n\n");

/** Buttons are stacked, because three do not fit side by side on a phone. */
const buttonsOf = ({ buttons }: Card) => ({
  inline_keyboard: buttons.map(({ label, data }) => [{ text: label, callback_data: data }]),
});

export function telegramOwnerChat(api: Api, within: (ending?: AbortSignal) => GrammySignal): OwnerChatTransport {
  const tried = (work: Promise<{ externalIds: string[] }>): Promise<SendResult> =>
    work.then(
      ({ externalIds }) => ({ ok: true, externalIds }),
      (error: unknown) => ({ externalIds: [], ...sendFailure(error) }),
    );
  return {
    linkTo: (account, code) => `https://t.me/${account.replace(/^@/, "")}?start=${code}`,
    show: (chat, card, ending) =>
      tried(
        api
          .sendMessage(
            chat,
            cardHtml(card),
            { parse_mode: "HTML", ...NO_PREVIEW, reply_markup: buttonsOf(card) },
            within(ending),
          )
          .then(({ message_id }) => ({ externalIds: [String(message_id)] })),
      ),
    change: (chat, messageId, card, ending) =>
      tried(
        api
          .editMessageText(
            chat,
            Number(messageId),
            cardHtml(card),
            { parse_mode: "HTML", ...NO_PREVIEW, reply_markup: buttonsOf(card) },
            within(ending),
          )
          .catch((error: unknown) => {
            if (
              !(error instanceof GrammyError) ||
              !/not modified|to edit not found|can't be edited/i.test(error.description)
            )
              throw error;
          })
          .then(() => ({ externalIds: [messageId] })),
      ),
    say: (chat, text, asks = false) =>
      tried(
        api
          .sendMessage(
            chat,
            text,
            { ...NO_PREVIEW, ...(asks ? { reply_markup: { force_reply: true } } : {}) },
            within(),
          )
          .then(({ message_id }) => ({ externalIds: [String(message_id)] })),
      ),
    async answerPress(id, text, refused) {
      await api.answerCallbackQuery(id, { text: text.slice(0, 200), show_alert: refused }, within()).catch(() => {});
    },
  };
}
