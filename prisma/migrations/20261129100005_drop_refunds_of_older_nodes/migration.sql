DROP TRIGGER "refund_of_older_node" ON "refund";
DROP FUNCTION "sum_refunds_of_older_node"();
DROP TRIGGER "refund_credential_of_older_node" ON "refund";
DROP FUNCTION "complete_refund_of_older_node"();
