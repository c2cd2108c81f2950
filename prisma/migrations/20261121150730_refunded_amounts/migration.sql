ALTER TABLE "payment" ADD COLUMN "refunded_in_cents" BIGINT NOT NULL DEFAULT 0;
