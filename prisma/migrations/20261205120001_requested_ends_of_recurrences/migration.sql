ALTER TABLE "recurrence" ADD COLUMN "end_requested_at" TIMESTAMPTZ(3);
