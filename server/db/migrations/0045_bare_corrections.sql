-- Who corrects an answer has not rated it: a message's opinion is a rating, or other words, or both.
ALTER TABLE "reply_feedback" DROP CONSTRAINT "reply_feedback_of_one";--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD CONSTRAINT "reply_feedback_of_one" CHECK (num_nonnulls("message_id", "outbox_id") = 1 AND ("outbox_id" IS NULL OR "correction" IS NOT NULL) AND ("message_id" IS NULL OR num_nonnulls("rating", "correction") > 0));
