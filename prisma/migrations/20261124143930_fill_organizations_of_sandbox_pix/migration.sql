-- Of those that books can show. In parts that are committed one by one; may be run again.
DO $$
DECLARE
    last_page BIGINT := pg_relation_size('sandbox_pix') / current_setting('block_size')::int;
    pages CONSTANT INTEGER := 64;
BEGIN
    FOR page IN 0..last_page BY pages LOOP
        UPDATE sandbox_pix s SET organization_id = p.organization_id
        FROM payment_attempt a JOIN payment p ON p.id = a.payment_id
        WHERE s.ctid >= format('(%s,0)', page)::tid AND s.ctid < format('(%s,0)', page + pages)::tid
            AND s.organization_id IS NULL AND s.paid_at > now() - interval '92 days' AND a.id = s.transaction_id::uuid;
        COMMIT;
    END LOOP;
END $$;
