/** All tables in an export, and the reason why the others are not. A test compares them with the schema. */

import { CONVERSATION_TABLES } from "./conversation-tables.ts";
import { KNOWLEDGE_TABLES } from "./knowledge-tables.ts";
import { PEOPLE_TABLES } from "./people-tables.ts";
import type { ExportedTable } from "./table.ts";

export const EXPORTED_TABLES: readonly ExportedTable[] = [
  ...PEOPLE_TABLES,
  ...KNOWLEDGE_TABLES,
  ...CONVERSATION_TABLES,
];

const SECRETS = "holds secrets or their hashes alone";
const DERIVED = "is made from what is exported, and made again from it";
const WORKING = "keeps the program's own work, no data of anybody's";

export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  chats: "stands in the files of «Переписка»",
  messages: "stands in the files of «Переписка»",
  recovery_codes: SECRETS,
  one_time_links: SECRETS,
  sign_in_challenges: SECRETS,
  known_devices: SECRETS,
  used_telegram_logins: SECRETS,
  channel_state: SECRETS,
  telegram_logins: SECRETS,
  crm_sign_ins: SECRETS,
  push_keys: SECRETS,
  master_keys: SECRETS,
  request_logins: SECRETS,
  declined_replies: "holds hashes of replies that are exported",
  widget_addresses: "holds hashes of visitors' addresses, for a day",
  chunks: DERIVED,
  open_reply_witnesses: DERIVED,
  reply_proposals: DERIVED,
  fact_proposals: DERIVED,
  gaps: DERIVED,
  gap_questions: "its words stand in the messages of conversations",
  index_segments: DERIVED,
  embeddings: DERIVED,
  inbox_events: "its words stand in the messages of conversations",
  owner_notices: WORKING,
  idempotency_keys: WORKING,
  letters_sent: WORKING,
  login_failures: WORKING,
  data_exports: WORKING,
  alerts: WORKING,
  last_backups: WORKING,
  media_remains: WORKING,
  server_processes: WORKING,
  stored_files: WORKING,
  stored_pieces: WORKING,
  voice_adapters: "is emptied at the start: adapters of release 0.2, whose owners have their files",
  local_models: "holds the server's own models, no data of anybody's",
  model_exams: "holds exams of the server's own models by an invented base, no data of anybody's",
  subscription_plans: "is the platform's own price list",
};
