/** Maximum size of a picture's file; picture-head.ts gives the size after decoding. */
export const MAX_PICTURE_BYTES = 25 * 1024 ** 2;
