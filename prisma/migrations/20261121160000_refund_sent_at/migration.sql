-- The default is for nodes of 0.9. What they sent until now was sent before this moment.
ALTER TABLE "refund" ADD COLUMN "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
