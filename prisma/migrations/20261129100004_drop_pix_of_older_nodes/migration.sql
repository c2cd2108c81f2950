DROP TRIGGER "received_pix_of_older_node" ON "received_pix";
DROP FUNCTION "complete_pix_of_older_node"();
