/**
 * Exported tables of twins and their knowledge. Imported messages belong to their owner alone
 * (docs/decisions/007-tenant-isolation-and-private-messages.md).
 */
import { sql } from "drizzle-orm";
import { blindTests, fidelityExamples, fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import { twinExamAnswers, twinExams } from "#server/platform/db/schema/exams.ts";
import { exportUploads, imports } from "#server/platform/db/schema/imports.ts";
import {
  contactFacts,
  contacts,
  documents,
  replyExamples,
  sources,
  websitePages,
  websites,
} from "#server/platform/db/schema/knowledge.ts";
import { corrections, openReplies, styleSamples } from "#server/platform/db/schema/public-replies.ts";
import { twins, twinVersions } from "#server/platform/db/schema/twins.ts";
import { byOwnTwin, byPerson, bySite, byTwin, byUser, people } from "./scope.ts";
import { type ExportedTable, exported } from "./table.ts";

const COUNTED = "счётчик работы программы";

export const KNOWLEDGE_TABLES: ExportedTable[] = [
  exported(twins, {
    name: "twins",
    about: "двойники и их настройки",
    rules: byTwin(twins.id),
    columns: [
      ...([
        "id",
        "ownerId",
        "name",
        "description",
        "personality",
        "communicationStyle",
        "expertise",
        "status",
      ] as const),
      ...([
        "publicName",
        "purpose",
        "isActive",
        "styleAccuracy",
        "styleProfile",
        "selfPresentation",
        "dailyModelTokens",
        "lastTrainedAt",
        "createdAt",
      ] as const),
      "updatedAt",
    ],
    own: ["styleProfile"],
    without: {
      knowledgeRevision: COUNTED,
      trainedRevision: COUNTED,
      trainingStage: COUNTED,
      trainingProgress: COUNTED,
      trainingError: COUNTED,
      trainingCutOff: COUNTED,
      embeddingModel: COUNTED,
      embeddingRevision: COUNTED,
      embeddingError: COUNTED,
      embeddingCutOff: COUNTED,
      factsRevision: COUNTED,
    },
  }),
  exported(twinVersions, {
    name: "twin_versions",
    about: "прежние состояния двойников",
    rules: byOwnTwin(twinVersions.twinId),
    columns: ["id", "twinId", "cause", "authorId", "snapshot", "place", "createdAt", "updatedAt"],
  }),
  exported(sources, {
    name: "sources",
    about: "откуда взята переписка",
    rules: byTwin(sources.twinId),
    columns: [
      ...([
        "id",
        "twinId",
        "kind",
        "platform",
        "externalId",
        "name",
        "status",
        "messageCount",
        "lastImportAt",
      ] as const),
      "createdAt",
    ],
    own: ["externalId"],
  }),
  exported(documents, {
    name: "documents",
    about: "документы: название, вид, метки; сами тексты лежат в папках «Документы»",
    rules: byTwin(documents.twinId),
    columns: ["id", "twinId", "name", "type", "status", "tags", "mime", "contentHash", "createdAt"],
    without: { content: "лежит отдельным файлом", splitAt: COUNTED },
  }),
  exported(websites, {
    name: "websites",
    about: "сайты, прочитанные в документы",
    rules: byTwin(websites.twinId),
    columns: [
      ...(["id", "twinId", "url", "documentType", "state", "reason", "reading", "confirmedBy"] as const),
      ...(["confirmedAt", "startedAt", "finishedAt", "createdAt"] as const),
    ],
    without: { site: "повторяет адрес", bytes: COUNTED, cutOff: COUNTED },
  }),
  exported(websitePages, {
    name: "website_pages",
    about: "страницы этих сайтов и документы, которыми они стали",
    rules: bySite(websitePages.websiteId),
    columns: ["id", "websiteId", "url", "depth", "state", "reason", "documentId", "change", "readAt"],
    without: { readHash: COUNTED },
  }),
  exported(contacts, {
    name: "contacts",
    about: "собеседники",
    rules: people,
    columns: [
      ...(["id", "twinId", "platform", "externalId", "name", "handle", "tone", "styleGroup", "consent"] as const),
      ...(["consentAt", "consentBy", "personId", "mergedId", "unprovenStopAt", "createdAt"] as const),
    ],
    own: ["styleGroup"],
  }),
  exported(contactFacts, {
    name: "contact_facts",
    about: "что отмечено о собеседниках",
    rules: byPerson(contactFacts.contactId),
    columns: ["id", "contactId", "text", "createdAt"],
  }),
  exported(replyExamples, {
    name: "pairs",
    about: "пары «вопрос — ваш ответ», найденные в переписке",
    rules: byOwnTwin(replyExamples.twinId),
    columns: ["id", "twinId", "chatId", "contactId", "incoming", "reply", "repliedAt"],
    without: { replyMessageId: "номер строки этой базы" },
    long: ["incoming", "reply"],
  }),
  exported(openReplies, {
    name: "open_replies",
    about: "ответы, открытые всем",
    rules: {
      ...byOwnTwin(openReplies.twinId),
      organization: () => sql`${openReplies.state} = 'open'`,
    },
    columns: [
      ...(["id", "twinId", "origin", "question", "reply", "people", "state", "contactId", "createdAt"] as const),
      "changedAt",
    ],
    own: ["contactId"],
    without: { replyMessageId: "номер строки этой базы" },
  }),
  exported(styleSamples, {
    name: "style_samples",
    about: "образцы вашей манеры, которые двойник показывает модели в любом разговоре",
    rules: {
      ...byOwnTwin(styleSamples.twinId),
      organization: () => sql`${styleSamples.state} = 'open'`,
    },
    columns: ["id", "twinId", "origin", "incoming", "text", "state", "contactId", "createdAt"],
    without: { replyExampleId: "номер строки этой базы" },
  }),
  exported(corrections, {
    name: "corrections",
    about: "исправления: чему вы научили двойника",
    rules: byOwnTwin(corrections.twinId),
    columns: [
      ...(["id", "twinId", "kind", "question", "context", "twinReply", "text", "rules", "audience"] as const),
      ...(["rewordings", "contactId", "chatId", "state", "caseKept", "caseResult", "caseBefore", "caseReply"] as const),
      ...(["caseCheckedAt", "createdBy", "place", "createdAt"] as const),
    ],
    without: { factSubject: "номер строки этой базы", embeddingCodes: COUNTED, embeddingModel: COUNTED },
    long: ["twinReply", "text"],
  }),
  exported(fidelityMeasures, {
    name: "fidelity_measures",
    about: "измерения сходства двойника с вами",
    rules: byOwnTwin(fidelityMeasures.twinId),
    columns: [
      ...(["id", "twinId", "lacking", "value", "low", "high", "verified", "indistinguishable", "ceiling"] as const),
      ...(["floor", "copyRate", "relevance", "own", "held", "people", "durationMs", "measuredAt"] as const),
      ...(["audience", "handedOver"] as const),
      ...(["model", "voiceId", "voiceVersion", "trial"] as const),
    ],
    without: { revision: COUNTED },
  }),
  exported(fidelityExamples, {
    name: "fidelity_examples",
    about: "примеры ответов из последнего измерения",
    rules: {
      account: (whose) =>
        sql`${fidelityExamples.measureId} in (select ${fidelityMeasures.id} from ${fidelityMeasures}
          where ${byOwnTwin(fidelityMeasures.twinId).account!(whose)})`,
    },
    columns: ["id", "measureId", "replyExampleId", "reply", "logit"],
  }),
  exported(twinExams, {
    name: "twin_exams",
    about: "экзамены ваших двойников",
    rules: byOwnTwin(twinExams.twinId),
    columns: ["id", "twinId", "model", "askedAt", "finishedAt", "createdAt"],
    without: { chunks: COUNTED, letters: COUNTED, failure: "код сбоя" },
  }),
  exported(twinExamAnswers, {
    name: "twin_exam_answers",
    about: "вопросы экзаменов, ответы двойника и ваши оценки",
    rules: {
      account: (whose) =>
        sql`${twinExamAnswers.examId} in (select ${twinExams.id} from ${twinExams}
          where ${byOwnTwin(twinExams.twinId).account!(whose)})`,
    },
    columns: [
      ...(["id", "examId", "place", "question", "contactId", "replyExampleId", "documentId", "reply"] as const),
      ...(["reason", "heldFor", "confidence", "band", "accepted", "decidedAt", "secrecy"] as const),
    ],
  }),
  exported(blindTests, {
    name: "blind_tests",
    about: "ваши слепые тесты",
    rules: byUser(blindTests.userId),
    columns: ["id", "twinId", "right", "total", "takenAt"],
    without: { userId: "это вы" },
  }),
  exported(imports, {
    name: "imports",
    about: "загрузки переписки; сохранившиеся файлы лежат в папке «Загрузки»",
    rules: byUser(imports.userId),
    columns: [
      ...(["id", "twinId", "fileName", "bytes", "status", "format", "incomplete", "ownerId", "chatIds"] as const),
      ...(["consentAt", "sourceId", "total", "processed", "imported", "duplicates", "error", "createdAt"] as const),
      ...(["integrationId", "withAttached", "updatedAt"] as const),
    ],
    without: {
      userId: "это вы",
      storedName: "имя файла на сервере",
      position: COUNTED,
      waitingUntil: COUNTED,
      preview: "выдержка из загруженного файла, который приложен",
      cutOff: COUNTED,
    },
  }),
  exported(exportUploads, {
    name: "uploads",
    about: "файлы, которые вы начали загружать",
    rules: byUser(exportUploads.userId),
    columns: ["id", "twinId", "fileName", "bytes", "format", "createdAt", "updatedAt"],
    without: { userId: "это вы", storedName: "имя файла на сервере", modified: "дата файла у вас" },
  }),
];
