import type { Pix } from '@pix-service/sdk';

/** Requests by their path, as the tools name them: an assistant gets bodies as they came. */
export interface ServiceClient {
  get<Body>(path: string): Promise<Body>;
  post<Body>(path: string, body?: object, idempotencyKey?: string): Promise<Body>;
  patch<Body>(path: string, body: object, idempotencyKey?: string): Promise<Body>;
  delete<Body>(path: string): Promise<Body>;
}

export function serviceClient({ request }: Pix): ServiceClient {
  const keyed = (idempotencyKey: string | undefined) => idempotencyKey !== undefined && { idempotencyKey };
  return {
    get: (path) => request({ method: 'GET', path }),
    post: (path, body = {}, key) => request({ method: 'POST', path, body, ...keyed(key) }),
    patch: (path, body, key) => request({ method: 'PATCH', path, body, ...keyed(key) }),
    delete: (path) => request({ method: 'DELETE', path }),
  };
}
