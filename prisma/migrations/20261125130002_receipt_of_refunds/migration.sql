CREATE TRIGGER "receipt_refund" AFTER UPDATE OF "status" ON "refund" FOR EACH ROW
WHEN ((OLD.status = 'completed') <> (NEW.status = 'completed'))
EXECUTE FUNCTION "note_refund_of_receipt"();

CREATE TRIGGER "receipt_refund_insert" AFTER INSERT ON "refund" FOR EACH ROW WHEN (NEW.status = 'completed')
EXECUTE FUNCTION "note_refund_of_receipt"();
