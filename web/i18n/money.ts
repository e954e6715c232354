import { LOCALE } from "./locale.ts";

const roubles = new Intl.NumberFormat(LOCALE, {
  style: "currency",
  currency: "RUB",
  currencyDisplay: "narrowSymbol",
  maximumFractionDigits: 0,
});

/** Formats as «4 999 ₽». */
export const formatRoubles = (value: number) => roubles.format(value);
