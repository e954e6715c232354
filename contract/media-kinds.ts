/** Kinds of media that are read. They are separate from media-readers.ts, because every conversation needs them. */
export const MEDIA_KINDS = ["speech", "picture"] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];
