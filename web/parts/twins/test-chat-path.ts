import { paths } from "#web/paths.ts";

/** @param ask a message that stands in the chat's field, to be sent */
export const testChatPath = (twinId: string, ask?: string | null) =>
  `${paths.twins}?${new URLSearchParams({ chat: twinId, ...(ask && { ask }) })}`;
