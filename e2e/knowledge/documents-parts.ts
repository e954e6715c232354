// What documents.spec.ts and documents.full.spec.ts share.
import { uuid } from "../factories/ids.ts";
import { json } from "../support/answers.ts";
import { anna } from "./answering-knowledge.ts";

const HOUR = 3600_000;

export const use = (answers: number, own: object) => ({
  documentId: null,
  fact: null,
  answers,
  last: { conversationId: uuid(900), at: new Date(Date.now() - HOUR).toISOString() },
  ...own,
});

export const uses = (...uses: object[]) => ({ "GET /api/knowledge/uses": json({ uses, atLeast: false }) });

export const fact = (n: number, own: object = {}) => ({
  id: uuid(700 + n),
  digitalTwinId: anna.id,
  digitalTwinName: anna.name,
  question: "До скольки вы работаете?",
  rewordings: ["Вы до скольки?"],
  text: "Работаем с 10 до 20",
  fromLetters: true,
  active: true,
  createdAt: new Date().toISOString(),
  ...own,
});
