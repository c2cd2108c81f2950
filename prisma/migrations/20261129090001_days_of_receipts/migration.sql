CREATE TABLE "receipt_day" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "is_copied" BOOLEAN NOT NULL DEFAULT false,
    "hours" SMALLINT[],
    "credential_id" UUID[],
    "provider" TEXT[],
    "pix_count" INTEGER[],
    "received_in_cents" BIGINT[],
    "returned_in_cents" BIGINT[],
    "reversed_in_cents" BIGINT[],

    CONSTRAINT "receipt_day_pkey" PRIMARY KEY ("organization_id","mode","day")
);

ALTER TABLE "receipt_day" SET (toast_tuple_target = 8160);

CREATE INDEX "receipt_day_uncopied_idx" ON "receipt_day"("day") WHERE NOT is_copied;

CREATE FUNCTION "note_receipt_day"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO receipt_day (organization_id, mode, day)
    VALUES (NEW.organization_id, NEW.mode, date_trunc('day', NEW.hour, 'UTC'))
    ON CONFLICT (organization_id, mode, day) DO UPDATE SET is_copied = false WHERE receipt_day.is_copied;
    RETURN NULL;
END $$;

CREATE TRIGGER "receipt_day" AFTER INSERT OR UPDATE ON "receipt_hour" FOR EACH ROW EXECUTE FUNCTION "note_receipt_day"();

INSERT INTO "receipt_day" ("organization_id", "mode", "day")
SELECT DISTINCT organization_id, mode, date_trunc('day', hour, 'UTC') FROM "receipt_hour";
