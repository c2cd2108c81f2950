-- By which banks know a charge: its provider tells it.
ALTER TABLE "payment" ADD COLUMN "txid" TEXT;
