ALTER TABLE "organization_settings" ADD COLUMN "recurrence_endings_need_approval" BOOLEAN NOT NULL DEFAULT false;
