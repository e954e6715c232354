import { NOW, uuid } from "../factories/ids.ts";
import { type Answers, json } from "./answers.ts";

/** A twin with the fields that sections 3 and 7 name and no others: the screens live on them. */
const twin = {
  id: uuid(1),
  name: "Анна",
  description: "Отвечает на вопросы",
  personality: { traits: ["спокойная"] },
  expertise: ["Чай"],
  status: "active",
  isActive: true,
  createdAt: NOW,
  updatedAt: NOW,
};

/** Answers of a server that knows no further fields. Where the specification does not show an answer's shape, `{}` will do. */
export const named: Answers = {
  "GET /api/auth/verify": json({
    user: { id: 1, first_name: "Вера", last_name: "Орлова", username: "vera", photo_url: "", authMethod: "telegram" },
  }),
  "GET /api/digital-twins": json([twin]),
  [`GET /api/digital-twins/${uuid(1)}`]: json(twin),
};
