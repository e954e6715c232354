import { writtenSize } from "#contract/written-size.ts";
import { LOCALE } from "./locale.ts";

/** Formats as «1,4 МБ». */
export const formatSize = (bytes: number) => writtenSize(bytes, LOCALE);
