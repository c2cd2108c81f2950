-- A payment that somebody waits for is looked up more often.
ALTER TABLE "payment_check" ADD COLUMN "watched_at" TIMESTAMPTZ(3);
