-- In databases where the column was made without it.
ALTER TABLE "refund" ALTER COLUMN "sent_at" SET DEFAULT CURRENT_TIMESTAMP;
