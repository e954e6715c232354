/** What of a contact's files is read: apart from who reads it, because every conversation names them. */
export const MEDIA_KINDS = ["speech", "picture"] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];
