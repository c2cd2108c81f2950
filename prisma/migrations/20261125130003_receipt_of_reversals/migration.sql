CREATE TRIGGER "receipt_reversal" AFTER INSERT OR UPDATE ON "reversal" FOR EACH ROW
EXECUTE FUNCTION "note_reversal_of_receipt"();
