ALTER TABLE "credential" ADD COLUMN "fees" JSONB;
