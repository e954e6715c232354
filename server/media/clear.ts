/** The bar below which nobody takes what a recording or a picture is said to say at its word. */
export const CLEAR = 0.6;

/** How sure the words of a recording are that the platform itself has understood: none of them says, and people read them as they stand. */
export const PLATFORM_HEARD = 0.8;

/** @param confidence null: it was not read */
export const isClear = (confidence: number | null): boolean => confidence !== null && confidence >= CLEAR;
