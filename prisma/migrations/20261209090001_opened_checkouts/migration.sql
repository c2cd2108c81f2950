ALTER TABLE "payment" ADD COLUMN "checkout_opened_at" TIMESTAMPTZ(3);
