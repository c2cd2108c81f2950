ALTER TABLE "session" ADD COLUMN "organization_id" UUID;
