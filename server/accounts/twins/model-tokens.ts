/** Estimates tokens by bytes: about four per token with the tokenizers of current models, for Russian and English. */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
