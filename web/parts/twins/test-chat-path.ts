import { paths } from "#web/paths.ts";

/** Path of the list of twins with this twin's test chat open. */
export const testChatPath = (twinId: string) => `${paths.twins}?chat=${encodeURIComponent(twinId)}`;
