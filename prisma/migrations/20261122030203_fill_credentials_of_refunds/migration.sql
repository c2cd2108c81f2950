-- Of those that a worker may still take up. In parts that are committed one by one; may be run again.
DO $$
DECLARE
    last_page BIGINT := pg_relation_size('refund') / current_setting('block_size')::int;
    pages CONSTANT INTEGER := 64;
BEGIN
    FOR page IN 0..last_page BY pages LOOP
        UPDATE refund r SET credential_id = a.credential_id
        FROM payment_attempt a
        WHERE r.ctid >= format('(%s,0)', page)::tid AND r.ctid < format('(%s,0)', page + pages)::tid
            AND r.status = 'pending' AND r.credential_id IS NULL AND a.id = r.attempt_id AND a.credential_id IS NOT NULL;
        COMMIT;
    END LOOP;
END $$;
