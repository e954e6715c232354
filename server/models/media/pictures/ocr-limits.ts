/** Of a picture's file; what it may become is limited by its head. */
export const MAX_PICTURE_BYTES = 25 * 1024 ** 2;
