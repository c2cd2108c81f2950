import { TLSSocket } from 'node:tls';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { NotificationService } from '../../core/settlement/notifications/psp-notifications.ts';
import { refuseAnnouncedExcess } from '../base/json-body.ts';
import type { NotificationRequest } from './assert-known-token.ts';
import { sendJson } from '../base/send-json.ts';

const maximumBodyBytes = 262_144;

const readBody = [
  refuseAnnouncedExcess(maximumBodyBytes),
  express.raw({ limit: maximumBodyBytes, type: () => true }),
];

/**
 * Whether the PSP's client certificate was verified: on our own connection, or by a trusted proxy
 * (TRUST_PROXY) that sets nginx's `$ssl_client_verify`.
 */
function hasTrustedCertificate(request: Request): boolean {
  if (request.socket instanceof TLSSocket) return request.socket.authorized;
  const isTrustedProxy = request.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return (
    isTrustedProxy(request.socket.remoteAddress ?? '', 0) &&
    request.headers['x-ssl-client-verify'] === 'SUCCESS'
  );
}

const singleHeaders = ({ headers }: Request): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );

/** The notification is verified over the raw body and stored before the response; processing follows. */
export function pspNotificationRoute(
  notifications: Pick<NotificationService, 'receive'>,
  knownToken: RequestHandler,
): RequestHandler[] {
  const receive = async (request: NotificationRequest, response: Response): Promise<void> => {
    const { provider, token } = request.params;
    const notification = {
      headers: singleHeaders(request as unknown as Request),
      query: new URL(request.url, 'http://localhost').searchParams,
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      hasTrustedCertificate: hasTrustedCertificate(request as unknown as Request),
    };
    await notifications.receive(provider, token, notification, request.traceparent);
    sendJson(response, 200, { received: true });
  };
  return [knownToken, ...readBody, receive as unknown as RequestHandler];
}
