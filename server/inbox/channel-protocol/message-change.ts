import type { Inbound, MessageChange } from "./channel.ts";

/** The change that an edited message brings. What the owner edits in another client is not stored as a new message. */
export function editTo(inbound: Inbound, messages: MessageChange["messages"]): MessageChange {
  const { conversation, text, attachments, media, original } = inbound;
  return {
    conversation,
    messages,
    content: { text, attachments, ...(media && { media }), ...(original === undefined ? {} : { original }) },
    ...(inbound.fromOwner ? {} : { instead: inbound }),
  };
}
