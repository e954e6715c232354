/**
 * The stable code of every expected failure. Programs may branch on a code, so a code is never renamed or reused; the sentence beside it
 * may change.
 * The server may throw no other code (`server/platform/errors.ts`). server/test/lints/error-codes.test.ts fails for a code that is no
 * longer thrown.
 */
// biome-ignore format: a group in a few lines reads better than 240 lines.
export const ERROR_CODES = [
  // Codes of any request
  "bad_request", "invalid_input", "invalid_json", "not_found", "forbidden", "unauthorized", "method_not_allowed", "not_acceptable", "timeout", "too_large", "uri_too_long",
  "unsupported_media_type", "headers_too_large", "too_many_requests", "too_many_at_once", "too_many_streams", "changed_meanwhile", "internal", "stopping", "upgrading", "database_away", "disk_full", "cannot_write", "jobs_stuck", "overloaded", "not_built", "foreign_host",
  "invalid_idempotency_key", "idempotency_mismatch", "idempotency_running", "idempotency_response_lost",
  // Codes of sign-in and of the own account
  "wrong_credentials", "wrong_code", "wrong_password", "wrong_confirmation", "weak_password", "too_many_tries", "sign_in_busy", "no_session", "session_not_found", "no_password", "no_email",
  "email_taken", "name_of_telegram", "email_confirmed", "email_unconfirmed", "confirm_signed_out", "link_invalid", "letter_just_sent", "too_many_letters", "mail_failed", "consent_outdated", "demo_account", "administrator_there", "administrator_named",
  "fresh_sign_in_needed", "second_factor_needed", "second_factor_expired", "second_factor_on", "second_factor_off", "passkey_known", "passkey_not_found", "passkey_refused",
  "passkeys_unavailable", "push_device_not_found", "push_failed", "push_service_unknown", "too_many_passkeys", "too_many_push_devices", "telegram_not_configured", "telegram_expired", "telegram_replayed", "telegram_signature",
  // Codes of organisations, members and payments
  "organization_not_found", "member_not_found", "already_member", "last_administrator", "invitation_just_sent", "too_many_invited", "default_plan", "plan_current", "plan_not_found",
  "payment_closed", "payment_not_found", "storage_full", "no_space", "storage_away", "export_not_found",
  // Codes of twins, their knowledge and their fidelity
  "twin_not_found", "twin_paused", "version_not_found", "blind_test_answered", "blind_test_gone", "nothing_to_compare", "nothing_to_measure",
  "source_not_found", "source_inactive", "source_is_file", "source_is_paste", "reimport_unavailable", "chat_not_found", "person_not_found",
  "document_not_found", "document_exists", "document_changed", "document_reading", "document_without_original", "website_not_found", "website_exists", "website_reading", "too_many_websites", "document_damaged", "document_empty", "document_encrypted", "document_too_large", "document_type_mismatch", "document_type_unsupported",
  "document_unreadable", "documents_failed", "documents_waiting", "too_many_files", "dialogue_empty", "archive_damaged", "archive_encrypted", "archive_too_large", "archive_unsafe",
  "archive_unsupported", "reader_unavailable",
  // Codes of uploads and imports
  "multipart_expected", "bytes_expected", "bad_upload", "no_file", "empty_file", "unexpected_file", "twin_first", "offset_differs", "upload_broken", "upload_dropped", "upload_not_found",
  "upload_taken", "upload_too_long", "upload_unfinished", "uploads_full", "unknown_export", "export_of_everything", "export_too_large", "export_unreadable", "import_not_found",
  "import_not_ready", "import_open", "import_running", "import_done", "import_failed", "import_cancelled", "consent_changed", "no_chats", "unknown_chat", "unknown_owner",
  // Codes of corrections and published answers
  "correction_not_found", "no_rules", "human_claim", "personal_correction", "personal_fact", "masked_fact", "fact_not_found", "pair_not_found", "proposal_not_found", "open_reply_not_found",
  "already_open", "too_many_open", "style_sample_not_found", "too_many_samples", "phrase_changed", "gap_not_found", "nothing_to_split",
  // Codes of conversations and drafts
  "conversation_not_found", "conversation_closed", "message_not_found", "note_not_found", "no_contact", "too_many_askers", "too_many_facts", "not_one_twin", "too_many_channels", "approval_not_found", "draft_not_found", "draft_changed",
  "already_decided", "private_draft", "cannot_send", "no_answer_yet", "too_late", "set_aside_not_found", "not_readable", "all_stopped", "taken_over", "empty_reply",
  "label_not_found", "too_many_labels", "saved_reply_not_found", "too_many_saved_replies",
  // Codes of connected accounts
  "integration_not_found", "integration_inactive", "integration_failed", "connection_not_found", "credentials_refused", "credentials_unchecked", "other_account", "not_by_key", "crm_app_missing", "crm_sign_in_over", "crm_away", "crm_not_found", "checked_just_now", "bad_secret", "bad_proxy", "no_bot", "not_connected",
  "not_telegram", "not_signed_in", "bot_without_history", "account_taken", "account_not_connected", "bad_api_id", "bad_phone", "code_being_checked", "too_many_codes", "no_twins",
  "no_dialogs", "dialogs_gone", "telegram_away", "telegram_failed", "telegram_flood", "telegram_refused",
  // Codes of models and of what they learn from
  "model_not_found", "model_chosen", "model_installed", "model_not_ready", "model_not_uploading", "model_state_differs", "model_tried", "model_writes_nothing", "models_too_big",
  "not_a_model", "not_served", "another_kind", "no_memory", "no_memory_now", "key_needed", "private_address", "too_many_tokens", "model_budget_spent", "model_not_allowed", "model_busy",
  "model_cut", "model_empty", "model_failed", "model_malformed", "model_refused", "model_rejected", "model_timeout", "model_unpaid", "search_without_model", "search_model_refused", "exam_without_model", "exam_without_material", "exam_running", "twin_exam_open", "too_few_marks", "media_not_installed", "media_reading_off", "media_endpoint_needed", "media_not_found", "media_range", "no_training_pairs",
  // Codes of API keys, webhooks and the chat widget
  "missing_api_key", "invalid_api_key", "batch_too_long", "key_not_found", "too_many_keys", "insufficient_scope", "insufficient_quota", "webhook_not_found", "delivery_not_found", "too_many_webhooks",
  "widget_not_found", "foreign_origin", "address_quota",
  // Codes of tools and acts
  "tool_not_found", "too_many_tools", "tool_table_not_found", "tool_table_unreadable", "tool_description_unreadable", "calendar_unreachable", "calendar_not_found", "tool_connection_not_found", "too_many_tool_connections", "tool_connection_refused", "tool_sign_in_over", "act_not_found", "act_decided", "act_needs_answer",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];
