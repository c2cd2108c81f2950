ALTER TABLE "payment" ADD COLUMN "traceparent" TEXT;
