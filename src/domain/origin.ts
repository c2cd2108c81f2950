/**
 * The origins from which this service's own pages ask. Over https that is PUBLIC_URL alone; over http, for
 * development, also whatever name and port the browser reached it by.
 */
export function ownOrigins(publicUrl: string, host: string | null | undefined): string[] {
  const { origin, protocol } = new URL(publicUrl);
  return protocol === 'http:' && host ? [origin, `http://${host}`] : [origin];
}
