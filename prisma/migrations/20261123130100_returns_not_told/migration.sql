ALTER TABLE "statement_day" ALTER COLUMN "returned_in_cents" DROP NOT NULL,
ALTER COLUMN "reversed_in_cents" DROP NOT NULL;
