ALTER TABLE "refund" ADD COLUMN "pending_reason" TEXT;
