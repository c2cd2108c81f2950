ALTER TABLE "payment" ADD COLUMN "other_payer" BOOLEAN NOT NULL DEFAULT false, ADD COLUMN "return_due_at" TIMESTAMPTZ(3);
