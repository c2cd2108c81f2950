ALTER TABLE "user" ADD COLUMN "last_sign_in_at" TIMESTAMPTZ(3);
