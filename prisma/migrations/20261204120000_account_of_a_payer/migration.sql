ALTER TABLE "recurrence" ADD COLUMN "payer_account" JSONB;
