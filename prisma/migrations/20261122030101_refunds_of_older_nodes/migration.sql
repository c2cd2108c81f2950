-- For nodes of 0.9, which keep no sum with the payment. They hold the payment's lock, as all nodes do.
CREATE OR REPLACE FUNCTION "sum_refunds_of_older_node"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE payment p SET refunded_in_cents = gone.total
    FROM (
        SELECT coalesce(sum(r.amount_in_cents), 0) + coalesce((
            SELECT x.returned_in_cents FROM received_pix x JOIN payment q ON q.id = x.payment_id AND q.attempt_id = x.attempt_id
            WHERE x.payment_id = NEW.payment_id ORDER BY x.created_at, x.end_to_end_id LIMIT 1), 0) AS total
        FROM refund r WHERE r.payment_id = NEW.payment_id AND r.status = 'completed') gone
    WHERE p.id = NEW.payment_id AND p.refunded_in_cents < gone.total;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "refund_of_older_node" AFTER UPDATE OF "status" ON "refund" FOR EACH ROW
WHEN (NEW.status = 'completed' AND OLD.status <> 'completed')
EXECUTE FUNCTION "sum_refunds_of_older_node"();
