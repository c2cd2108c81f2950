ALTER TABLE "sandbox_pix" ADD COLUMN "payer" JSON;
