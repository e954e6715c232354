import { LOCALE } from "./locale.ts";

const percent = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });

/** Formats a small share 0..1 as «0,7%». */
export const formatFewShare = (value: number) => percent.format(value).replace(/\s/g, "");
