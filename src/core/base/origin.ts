/**
 * Origins of the service's own pages. With an https PUBLIC_URL only that one; with http, for development,
 * also the name and port that the browser used.
 */
export function ownOrigins(publicUrl: string, host: string | null | undefined): string[] {
  const { origin, protocol } = new URL(publicUrl);
  return protocol === 'http:' && host ? [origin, `http://${host}`] : [origin];
}
