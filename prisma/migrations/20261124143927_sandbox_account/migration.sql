ALTER TABLE "sandbox_pix" ADD COLUMN IF NOT EXISTS "organization_id" UUID;
