/** Replaces quotation marks inside a name that is itself quoted with «»: двойника «Поддержка „Полтора чайника“». */
export const innerQuotes = (name: string): string => name.replaceAll("«", "„").replaceAll("»", "“");
