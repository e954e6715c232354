/** The fictional shop whose twin visitors of the landing page ask: its documents, and its owner's manner. */

import type { TwinInMemory } from "#server/answers/replies/plan-reply.ts";
import { loadDemoContent } from "#server/demo/content/demo-content.ts";
import { fixedIndex } from "#server/knowledge/search/fixed-index.ts";
import { OwnersStyleAccumulator } from "#server/knowledge/style/style-groups.ts";

export async function openShop(): Promise<TwinInMemory> {
  const shop = (await loadDemoContent()).find(({ slug }) => slug === "shop-support")!;
  const { name, description, personality, communicationStyle, knowledgeArea } = shop;
  const manner = new OwnersStyleAccumulator();
  for (const [chatId, { messages }] of shop.conversations.entries()) {
    for (const { text, fromOwner, sentAt } of messages) {
      manner.add({ text, fromOwner, sentAt: new Date(sentAt), chatId, contactId: chatId + 1 });
    }
  }
  return {
    twin: {
      name,
      publicName: shop.publicName ?? null,
      description,
      personality,
      communicationStyle,
      expertise: [knowledgeArea],
      styleProfile: manner.result().style,
    },
    index: fixedIndex(shop.documents),
  };
}
