/** The bar below which nobody takes what a recording or a picture is said to say at its word. */
export const CLEAR = 0.6;

/** @param confidence null: it was not read */
export const isClear = (confidence: number | null): boolean => confidence !== null && confidence >= CLEAR;
