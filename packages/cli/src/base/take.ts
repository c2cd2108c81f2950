/** The first items of a list that is read page by page. */
export async function take<Item>(count: number, items: AsyncIterable<Item>): Promise<Item[]> {
  const taken: Item[] = [];
  if (count === 0) return taken;
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}
