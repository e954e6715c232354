-- Postings hardly shrink: PostgreSQL would try for as long as it takes to write them, and keep them as they are.
ALTER TABLE "index_segments" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
