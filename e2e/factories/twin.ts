import type { TrainingState, Twin, TwinInput } from "#contract/twins.ts";
import { NOW, uuid } from "./ids.ts";
import { user } from "./people.ts";

/** A twin that is ready and belongs to the signed-in user. */
export const buildTwin = (n: number, own: Partial<Twin> = {}): Twin => ({
  id: uuid(n),
  name: `Двойник ${n}`,
  publicName: null,
  description: `Отвечает на вопросы о чае, линия ${n}`,
  personality: "Спокойный и внимательный, шутит к месту",
  communicationStyle: "Коротко и на вы",
  expertise: ["Чай и кофе"],
  purpose: "business",
  status: "ready",
  isActive: true,
  styleAccuracy: null,
  ownerId: user.id,
  lastTrainedAt: null,
  createdAt: NOW,
  updatedAt: NOW,
  ...own,
});

/** Two twins with names that no other text has. */
export const twins = [buildTwin(1, { name: "Анна" }), buildTwin(2, { name: "Олег" })];

/** A training that has ended well. */
export const buildTraining = (own: Partial<TrainingState> = {}): TrainingState => ({
  status: "ready",
  progress: 1,
  running: false,
  stage: null,
  error: null,
  chunks: 3,
  replyExamples: 9,
  messages: 20,
  embeddings: null,
  ...own,
});

/** What the form of a new twin sends. */
export const buildTwinInput = (own: Partial<TwinInput> = {}): TwinInput => ({
  name: "Анна Чайникова",
  description: "Отвечает на вопросы о чае и доставке",
  personality: "Спокойная и внимательная, шутит к месту",
  communicationStyle: "Коротко и на вы",
  knowledgeArea: "Чай и кофе",
  ...own,
});
