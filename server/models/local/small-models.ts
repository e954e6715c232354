/** A model with fewer parameters is small. Models up to 1.5B were measured; the next larger ones in use have 4B. */
const SMALL = 3e9;

/**
 * Whether a model only rephrases what the extractive reader has found: the statements of small models are too often wrong
 * (docs/decisions/026-answer-verification.md).
 * @param parameters number of the model's parameters; 0: unknown
 */
export const isSmall = (parameters: number): boolean => parameters < SMALL;
