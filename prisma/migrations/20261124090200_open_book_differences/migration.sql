CREATE INDEX CONCURRENTLY IF NOT EXISTS "book_difference_open_idx" ON "book_difference"("kind") WHERE (settled_at IS NULL);
