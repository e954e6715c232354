import { paths } from "#web/paths.ts";

export const testChatPath = (twinId: string) => `${paths.twins}?chat=${encodeURIComponent(twinId)}`;
