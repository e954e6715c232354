/** Bytes per token: about four with the tokenizers of current models, for Russian and for English. */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
