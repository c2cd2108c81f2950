CREATE TABLE "alert" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "kind" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "condition" JSONB NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "clear_since" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "alert_open_idx" ON "alert"("organization_id", "mode", "kind", "subject_id") WHERE (closed_at IS NULL);

CREATE INDEX "alert_organization_id_mode_id_idx" ON "alert"("organization_id", "mode", "id");
