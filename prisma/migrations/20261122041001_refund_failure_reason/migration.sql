ALTER TABLE "refund" ADD COLUMN IF NOT EXISTS "failure_reason" TEXT;
