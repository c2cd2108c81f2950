ALTER TABLE "organization_settings" ADD COLUMN "rate_limit_per_minute" INTEGER;
