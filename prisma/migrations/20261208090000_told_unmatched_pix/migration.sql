ALTER TABLE "statement_entry" ADD COLUMN "told_at" TIMESTAMPTZ(3);
