ALTER TABLE "sandbox_charge" ADD COLUMN "due" JSON;
