ALTER TABLE "sandbox_refund" ADD COLUMN IF NOT EXISTS "end_to_end_id" TEXT;
