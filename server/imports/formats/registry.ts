import { chatCsv } from "./chat-csv.ts";
import { chatText } from "./chat-text.ts";
import { discordJson } from "./discord-json.ts";
import { emailBox, emailLetter } from "./email/email.ts";
import type { BundleFormat, ExportFormat } from "./message.ts";
import { metaJson } from "./meta-json.ts";
import { ownChats } from "./own-chats.ts";
import { slackExport } from "./slack-export.ts";
import { telegramHtml } from "./telegram-html.ts";
import { telegramJson } from "./telegram-json.ts";
import { vkHtml } from "./vk-html.ts";
import { whatsappTxt } from "./whatsapp/whatsapp-txt.ts";

/** All readable export formats. The first that recognises a file reads it, so the more specific formats come first. */
export const exportFormats: readonly ExportFormat[] = [
  ...ownChats,
  metaJson,
  telegramJson,
  discordJson,
  telegramHtml,
  vkHtml,
  whatsappTxt,
  emailBox,
  emailLetter,
  chatCsv,
  chatText,
];

/** Archives whose files can only be read together; files of other archives are read one by one. */
export const bundleFormats: readonly BundleFormat[] = [slackExport];

/** Detects the format of a file by its first 64 KiB (never by its name); null when it is unknown. */
export function detectFormat(head: Buffer): ExportFormat | null {
  return exportFormats.find((format) => format.detect(head)) ?? null;
}
