interface Page<Item> {
  data: Item[];
  nextCursor?: string;
}

/** Reads page after page as it is iterated over. */
export async function* everyItem<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield* page.data;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
