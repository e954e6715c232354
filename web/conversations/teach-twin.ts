import { knowledgeApi } from "#contract/knowledge.ts";
import { call } from "#web/api.ts";
import { knowledgeChanged } from "#web/knowledge/queries.ts";

export interface Lesson {
  twinId: string;
  /** What the twin was asked. */
  question: string;
}

/** The question with the person's own answer becomes an example like any pasted dialogue, and training begins. */
export async function teachTwin({ twinId, question }: Lesson, answer: string): Promise<void> {
  const timestamp = new Date().toISOString();
  await call(knowledgeApi.uploadDialogue, {
    input: {
      digitalTwinId: twinId,
      platform: "chat",
      participants: ["Исправленные ответы"],
      messages: [
        { role: "user", content: question, timestamp },
        { role: "assistant", content: answer, timestamp },
      ],
    },
  });
  void knowledgeChanged();
}
