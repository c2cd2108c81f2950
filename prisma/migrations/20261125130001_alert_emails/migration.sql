CREATE TABLE "alert_preference" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "kinds" TEXT[],
    "language" TEXT NOT NULL,

    CONSTRAINT "alert_preference_pkey" PRIMARY KEY ("organization_id", "user_id")
);

CREATE TABLE "alert_email" (
    "alert_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "is_closed" BOOLEAN NOT NULL,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "holder" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_email_pkey" PRIMARY KEY ("alert_id", "user_id", "is_closed")
);

CREATE INDEX "alert_email_due_idx" ON "alert_email"("next_attempt_at") WHERE (next_attempt_at IS NOT NULL);
