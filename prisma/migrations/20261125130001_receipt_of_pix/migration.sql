-- Triggers, so that whatever records money is counted: an older node beside this one too.
CREATE TRIGGER "receipt_insert" AFTER INSERT ON "received_pix" FOR EACH ROW EXECUTE FUNCTION "note_receipt"();

CREATE TRIGGER "receipt_update" AFTER UPDATE OF "returned_in_cents" ON "received_pix" FOR EACH ROW
WHEN (OLD.returned_in_cents <> NEW.returned_in_cents)
EXECUTE FUNCTION "note_receipt"();
