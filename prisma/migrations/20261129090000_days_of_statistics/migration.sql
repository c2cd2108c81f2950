CREATE TABLE "payment_day" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "is_copied" BOOLEAN NOT NULL DEFAULT false,
    "hours" SMALLINT[],
    "created" INTEGER[],
    "failed" INTEGER[],
    "completed" INTEGER[],
    "volume_in_cents" BIGINT[],
    "refunded_in_cents" BIGINT[],
    "reversed_in_cents" BIGINT[],
    "pay_ends" INTEGER[],
    "pay_steps" SMALLINT[],
    "pay_counts" INTEGER[],

    CONSTRAINT "payment_day_pkey" PRIMARY KEY ("organization_id","mode","day")
);

-- A row is a page at most: parts that are stored apart would each be looked up.
ALTER TABLE "payment_day" SET (toast_tuple_target = 8160);

CREATE INDEX "payment_day_uncopied_idx" ON "payment_day"("day") WHERE NOT is_copied;

-- Locks the row even if it changes nothing, so that no hour changes while its day is copied.
CREATE FUNCTION "note_payment_day"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO payment_day (organization_id, mode, day)
    VALUES (NEW.organization_id, NEW.mode, date_trunc('day', NEW.hour, 'UTC'))
    ON CONFLICT (organization_id, mode, day) DO UPDATE SET is_copied = false WHERE payment_day.is_copied;
    RETURN NULL;
END $$;

-- A trigger, so that what an older node adds counts too.
CREATE TRIGGER "payment_day" AFTER INSERT OR UPDATE ON "payment_hour" FOR EACH ROW EXECUTE FUNCTION "note_payment_day"();

-- Whoever adds to hours waits for the trigger's lock until this has been committed.
INSERT INTO "payment_day" ("organization_id", "mode", "day")
SELECT DISTINCT organization_id, mode, date_trunc('day', hour, 'UTC') FROM "payment_hour";
