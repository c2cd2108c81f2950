-- Databases that were migrated before these steps were taken apart have this key already.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'received_pix'::regclass AND conname = 'received_pix_end_to_end_id_pkey') THEN
        ALTER TABLE "received_pix" DROP CONSTRAINT "received_pix_end_to_end_id_pkey",
            ADD CONSTRAINT "received_pix_pkey" PRIMARY KEY USING INDEX "received_pix_pkey";
    END IF;
END $$;
