CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "book_difference_id_key" ON "book_difference"("id");
