ALTER TABLE "refund" ADD COLUMN IF NOT EXISTS "credential_id" UUID;
