ALTER TABLE "webhook_endpoint" ADD COLUMN "name" TEXT;
