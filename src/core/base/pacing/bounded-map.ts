/** Sets the value as the newest one and forgets the oldest beyond the maximum. */
export function setBounded<Value>(map: Map<string, Value>, key: string, value: Value, maximum: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maximum && oldest !== undefined) map.delete(oldest);
}
