ALTER TABLE "payment_link" ADD COLUMN "due" JSON;
