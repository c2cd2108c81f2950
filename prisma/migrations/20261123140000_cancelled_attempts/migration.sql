ALTER TABLE "payment_attempt" ADD COLUMN "cancelled_at" TIMESTAMPTZ(3);
