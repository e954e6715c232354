import type { ExportFormat } from "./message.ts";
import { telegramJson } from "./telegram-json.ts";
import { whatsappTxt } from "./whatsapp-txt.ts";

/** Every readable export format; the more particular ones first, since the first that recognises a file reads it. */
export const exportFormats: readonly ExportFormat[] = [telegramJson, whatsappTxt];

/** The format of a file by its first 64 KiB (never by its name); null when nobody knows it. */
export function detectFormat(head: Buffer): ExportFormat | null {
  return exportFormats.find((format) => format.detect(head)) ?? null;
}

export function findFormat(name: string): ExportFormat | null {
  return exportFormats.find((format) => format.name === name) ?? null;
}
