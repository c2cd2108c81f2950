ALTER TABLE "statement_day" ADD COLUMN "expected_fee_in_cents" BIGINT;
