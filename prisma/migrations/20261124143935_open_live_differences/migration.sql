CREATE INDEX CONCURRENTLY IF NOT EXISTS "book_difference_open_live_idx" ON "book_difference"("kind") WHERE ((settled_at IS NULL) AND (mode = 'live'::"Mode"));
