import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import type { KnowledgeMessage, KnowledgeSource, KnowledgeStats } from "#contract/knowledge/knowledge-base.ts";
import { NOW, uuid } from "./ids.ts";

export const buildKnowledgeStats = (own: Partial<KnowledgeStats> = {}): KnowledgeStats => ({
  totalMessages: 12_345,
  telegramMessages: 12_000,
  emailMessages: 300,
  whatsappMessages: 45,
  lastUpdate: NOW,
  ...own,
});

/** With what the specification names: the rest may be absent. */
export const buildSource = (n: number, own: Partial<KnowledgeSource> = {}): KnowledgeSource => ({
  id: uuid(n),
  name: `Источник ${n}`,
  platform: "telegram",
  status: "active",
  digitalTwinName: "Анна",
  messagesCount: 21,
  lastImport: NOW,
  ...own,
});

/** With what the specification names: the rest may be absent. */
export const buildKnowledgeMessage = (n: number, own: Partial<KnowledgeMessage> = {}): KnowledgeMessage => ({
  id: String(n),
  platform: "telegram",
  content: `Сообщение ${n}`,
  timestamp: NOW,
  isTrainingData: true,
  ...own,
});

export const buildDocument = (n: number, own: Partial<KnowledgeDocument> = {}): KnowledgeDocument => ({
  id: uuid(50 + n),
  name: `Документ ${n}`,
  type: "faq",
  status: "processed",
  digitalTwinId: uuid(1),
  content: "Доставка по Москве занимает",
  tags: ["доставка"],
  length: 5120,
  createdAt: NOW,
  mime: "text/plain",
  version: String(n).padStart(32, "a"),
  ...own,
});
