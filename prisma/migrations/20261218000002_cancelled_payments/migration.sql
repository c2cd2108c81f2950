ALTER TABLE payment ADD COLUMN cancelled_at timestamptz(3);
