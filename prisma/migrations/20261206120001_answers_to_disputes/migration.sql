CREATE TYPE "DisputeAnswer" AS ENUM ('defence', 'acceptance');

ALTER TABLE "dispute" ADD COLUMN "attempt_id" UUID,
ADD COLUMN "credential_id" UUID,
ADD COLUMN "answer" "DisputeAnswer",
ADD COLUMN "answered_at" TIMESTAMPTZ(3),
ADD COLUMN "answer_sent_at" TIMESTAMPTZ(3),
ADD COLUMN "answer_refused_at" TIMESTAMPTZ(3),
ADD COLUMN "sealed_statement" TEXT,
ADD COLUMN "reminded_at" TIMESTAMPTZ(3),
ADD COLUMN "next_check_at" TIMESTAMPTZ(3);

CREATE TABLE "dispute_document" (
    "id" UUID NOT NULL,
    "dispute_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "sealed_content" TEXT NOT NULL,
    "delete_at" TIMESTAMPTZ(3),
    CONSTRAINT "dispute_document_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "dispute_document_dispute_id_idx" ON "dispute_document"("dispute_id");

CREATE INDEX "dispute_document_ended_idx" ON "dispute_document"("delete_at") WHERE (delete_at IS NOT NULL);
