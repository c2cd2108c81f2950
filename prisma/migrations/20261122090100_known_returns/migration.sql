-- On its own, so that payments are not locked while all Pix are read.
-- What was returned outside of this service, known until now as an amount alone.
INSERT INTO "reversal" ("id", "organization_id", "mode", "payment_id", "end_to_end_id", "psp_reference", "reason",
  "amount_in_cents", "status", "created_at")
SELECT gen_random_uuid(), x."organization_id", p."mode", x."payment_id", x."end_to_end_id", 'total:1',
  'returned_at_psp', x."returned_in_cents", 'completed', x."created_at"
FROM "received_pix" x JOIN "payment" p ON p."id" = x."payment_id"
WHERE x."returned_in_cents" > 0;
