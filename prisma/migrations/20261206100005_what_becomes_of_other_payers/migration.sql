ALTER TABLE "organization_settings" ADD COLUMN "other_payer" TEXT NOT NULL DEFAULT 'ignore';
