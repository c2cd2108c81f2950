ALTER TABLE "statement_entry" ADD COLUMN "problem" TEXT,
ALTER COLUMN "amount_in_cents" DROP NOT NULL,
ALTER COLUMN "received_at" DROP NOT NULL;

ALTER TABLE "book_difference" ADD COLUMN "detail" TEXT;
