import type { Currency } from "#contract/models/remote-model-presets.ts";
import { LOCALE } from "./locale.ts";

/** Formats an amount like «12,40 ₽»; an amount below 0.01 keeps enough digits to show something other than zero. */
export function formatMoney(value: number, currency: Currency): string {
  const digits = value > 0 && value < 0.01 ? 6 : 2;
  return new Intl.NumberFormat(LOCALE, { style: "currency", currency, maximumFractionDigits: digits }).format(value);
}
