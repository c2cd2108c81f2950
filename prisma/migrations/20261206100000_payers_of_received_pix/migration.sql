-- As their providers tell them.
ALTER TABLE "received_pix" ADD COLUMN "payer_name" TEXT, ADD COLUMN "payer_document" TEXT, ADD COLUMN "payer_message" TEXT;
