-- Null where it is the amount of the charge.
ALTER TABLE "sandbox_pix" ADD COLUMN "amount_in_cents" BIGINT;
