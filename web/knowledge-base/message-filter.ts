import type { KnowledgeMessage } from "#contract/knowledge/knowledge-base.ts";
import { searchWords } from "#contract/knowledge/search-words.ts";

export interface MessageFilter {
  search: string;
  platform: string;
  twinId: string;
}

const plain = (text: string) => text.toLowerCase().replaceAll("ё", "е");

export function messageMatcher({ search, platform, twinId }: MessageFilter): (message: KnowledgeMessage) => boolean {
  const words = searchWords(plain(search));
  return (message) =>
    (platform === "all" || message.platform === platform) &&
    (twinId === "all" || message.digitalTwinId === twinId) &&
    (words.length === 0 || containsAll(plain(message.content), words));
}

const containsAll = (text: string, words: readonly string[]) => words.every((word) => text.includes(word));
