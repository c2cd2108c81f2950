ALTER TABLE "statement_day" ADD COLUMN "problem_reason" JSONB;
