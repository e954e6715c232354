/** Exams of the models that all organisations share: local ones, and the one in the server's settings. For the platform's administrators. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { ExamAnswer } from "./model-exam.ts";
import { ModelExam } from "./remote-model.ts";

export const SharedExam = z.object({
  /** A local model's id, or `settings`: the model that the server's settings name. */
  id: z.string(),
  name: z.string(),
  /** Whether asking costs tokens: an endpoint, and not a model on this server. */
  isRemote: z.boolean(),
  exam: z.nullable(ModelExam),
  examining: z.nullable(z.object({ asked: z.number(), of: z.number() })),
  examFailure: z.nullable(z.string()),
});
export type SharedExam = z.infer<typeof SharedExam>;

const SubjectParams = z.object({
  id: z.union([z.literal("settings"), z.uuid()], "Неверный идентификатор"),
});
const access = "super_admin";

export const sharedExamsApi = {
  list: endpoint("GET /api/admin/model-exams", {
    access,
    tags: ["models"],
    summary: "Экзамены моделей этого сервера; модель без экзамена не проверена",
    output: z.array(SharedExam),
  }),
  answers: endpoint("GET /api/admin/model-exams/:id", {
    access,
    tags: ["models"],
    summary: "Что модель этого сервера ответила на последнем экзамене",
    params: SubjectParams,
    output: z.object({ answers: z.array(ExamAnswer) }),
  }),
  examine: endpoint("POST /api/admin/model-exams/:id", {
    access,
    refreshes: ["models"],
    summary: "Провести экзамен модели этого сервера: идёт в фоне, прерванный продолжается",
    params: SubjectParams,
    output: z.array(SharedExam),
  }),
};
