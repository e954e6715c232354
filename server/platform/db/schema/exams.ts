/** Exams: of a model that the operator runs, and of a twin by its own documents and letters. */
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ExamAnswer } from "#contract/models/model-exam.ts";
import type { ModelExam } from "#contract/models/remote-model.ts";
import { orgId } from "./accounts.ts";
import { at, createdAt, secrecy, serialId, uuidId } from "./columns.ts";
import { contacts, documents, replyExamples } from "./knowledge.ts";
import { type ExamRun, localModels } from "./models.ts";
import { twinId } from "./twins.ts";

/** The exam of a model that all organisations share: a local one, or the operator's endpoint. An organisation's own is in `remote_models`. */
export const modelExams = pgTable(
  "model_exams",
  {
    /** `examSubject` of answers/exam: the local model's id, or the endpoint's address and model. */
    subject: text("subject").primaryKey(),
    /** Null: the operator's endpoint. */
    localModelId: uuid("local_model_id").references(() => localModels.id, { onDelete: "cascade" }),
    exam: jsonb("exam").$type<ModelExam>(),
    answers: jsonb("answers").$type<ExamAnswer[]>(),
    run: jsonb("run").$type<ExamRun>(),
  },
  (t) => [index("model_exams_local_model").on(t.localModelId)],
);

/** An exam of a twin, which its owner marks (server/inbox/twin-exam). The newest finished one is kept beside one that is under way. */
export const twinExams = pgTable(
  "twin_exams",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    /** Name of the model that answered; null: none did. */
    model: text("model"),
    /** What the twin knew then: its pieces of documents and its past replies. */
    chunks: integer("chunks").notNull(),
    letters: integer("letters").notNull(),
    /** Code of the error that interrupted it; null: none did. */
    failure: text("failure"),
    /** When all questions had an answer. */
    askedAt: at("asked_at"),
    /** When the owner had marked the answers. */
    finishedAt: at("finished_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("twin_exams_open").on(t.twinId).where(sql`finished_at is null`),
    index("twin_exams_twin").on(t.twinId, t.createdAt),
    index("twin_exams_org").on(t.orgId),
  ],
);

/** A question of a twin's exam. It goes with the letter or document that it comes from. */
export const twinExamAnswers = pgTable(
  "twin_exam_answers",
  {
    id: serialId(),
    orgId: orgId(),
    examId: uuid("exam_id")
      .notNull()
      .references(() => twinExams.id, { onDelete: "cascade" }),
    place: integer("place").notNull(),
    question: text("question").notNull(),
    /** The contact in whose name it is asked; null: a stranger's. */
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    /** The letter that asked it, with the owner's own reply. */
    replyExampleId: bigint("reply_example_id", { mode: "number" }).references(() => replyExamples.id, {
      onDelete: "cascade",
    }),
    documentId: uuid("document_id").references(() => documents.id, { onDelete: "cascade" }),
    /** Null: not answered yet. */
    reply: text("reply"),
    reason: text("reason"),
    /** Why it would wait for the owner at the level «confident»; null: it would be sent. */
    heldFor: text("held_for"),
    confidence: doublePrecision("confidence"),
    /** Which of the owner's decisions calibrate such answers (inbox/conversation-control/read-track-record.ts); null: none. */
    band: text("band", { enum: ["sure", "unsure", "plain"] }),
    /** The owner's yes or no. */
    accepted: boolean("accepted"),
    decidedAt: at("decided_at"),
    secrecy: secrecy(),
  },
  (t) => [
    uniqueIndex("twin_exam_answers_place").on(t.examId, t.place),
    index("twin_exam_answers_contact").on(t.contactId),
    index("twin_exam_answers_reply_example").on(t.replyExampleId),
    index("twin_exam_answers_document").on(t.documentId),
    index("twin_exam_answers_org").on(t.orgId),
    check("twin_exam_answers_band", sql`band in ('sure', 'unsure', 'plain')`),
  ],
);
