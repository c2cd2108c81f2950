-- In parts that are committed one by one; may be run again.
DO $$
DECLARE
    last_page BIGINT := pg_relation_size('refund') / current_setting('block_size')::int;
    pages CONSTANT INTEGER := 64;
BEGIN
    FOR page IN 0..last_page BY pages LOOP
        UPDATE payment p SET refunded_in_cents = done.total
        FROM (
            SELECT r.payment_id, (
                SELECT sum(s.amount_in_cents) FROM refund s
                WHERE s.payment_id = r.payment_id AND s.status = 'completed') AS total
            FROM refund r
            WHERE r.ctid >= format('(%s,0)', page)::tid AND r.ctid < format('(%s,0)', page + pages)::tid
                AND r.status = 'completed'
            GROUP BY r.payment_id) done
        WHERE p.id = done.payment_id AND p.refunded_in_cents < done.total;
        COMMIT;
    END LOOP;
END $$;
