CREATE TABLE "forgotten_person" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "pseudonym" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "user_id" UUID,
    "sealed_person" TEXT,
    "cursor" TEXT,
    "next_check_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "counts" JSONB NOT NULL DEFAULT '{}',
    "customers" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "forgotten_person_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "forgotten_person_organization_id_id_idx" ON "forgotten_person"("organization_id", "id");

CREATE INDEX "forgotten_person_due_idx" ON "forgotten_person"("next_check_at") WHERE (next_check_at IS NOT NULL);
