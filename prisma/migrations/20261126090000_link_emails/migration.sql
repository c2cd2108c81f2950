CREATE TABLE "link_email" (
    "id" UUID NOT NULL,
    "sealed_message" TEXT NOT NULL,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "holder" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "link_email_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "link_email_next_attempt_at_idx" ON "link_email"("next_attempt_at");
