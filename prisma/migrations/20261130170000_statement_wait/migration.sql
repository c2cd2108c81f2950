-- An import that begins late, as after an outage, waits for look-ups as long as any other.
ALTER TABLE "statement_day" ADD COLUMN "waiting_since" TIMESTAMPTZ(3);
