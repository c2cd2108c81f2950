-- The access key of the invoice that a payment is for.
ALTER TABLE "payment" ADD COLUMN "fiscal_document" TEXT;
