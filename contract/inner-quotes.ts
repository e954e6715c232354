/** A name that stands between «» has „“ for its own: двойника «Поддержка „Полтора чайника“». */
export const innerQuotes = (name: string): string => name.replaceAll("«", "„").replaceAll("»", "“");
