ALTER TABLE "payment" ADD COLUMN "return_url" TEXT;
