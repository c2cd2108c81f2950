DROP TRIGGER "sandbox_pix_of_older_node" ON "sandbox_pix";
DROP FUNCTION "complete_sandbox_pix_of_older_node"();
