-- Some providers demand it for charges with a due date.
ALTER TABLE "payment" ADD COLUMN "payer_address" JSON;
