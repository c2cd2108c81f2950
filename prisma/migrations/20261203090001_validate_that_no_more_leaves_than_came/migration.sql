ALTER TABLE "payment" VALIDATE CONSTRAINT "payment_no_more_leaves_than_came";
