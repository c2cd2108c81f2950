ALTER TABLE "payment" ADD COLUMN "traceparent" TEXT;
ALTER TABLE "event" ADD COLUMN "traceparent" TEXT;
ALTER TABLE "psp_notification" ADD COLUMN "traceparent" TEXT;
