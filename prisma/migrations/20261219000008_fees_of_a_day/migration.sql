ALTER TABLE "statement_day" ADD COLUMN "fees" JSONB;
