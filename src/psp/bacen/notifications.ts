import { z } from 'zod';
import { notifiedCharge, readNotification } from '../kit/notification.ts';
import type { NotifiedCharge } from '../../domain/providers/psp.ts';
import type { PspNotifications } from '../kit/provider.ts';
import type { BacenSettings } from './settings.ts';

/** Of all that a Pix carries only the charge's name is read: the PSP is asked for the rest. */
const body = z.object({
  pix: z.array(z.object({ txid: z.string().nullish() })).nullish(),
});

export const bacenNotifications: PspNotifications<BacenSettings> = {
  /**
   * The standard signs nothing: it knows mutual TLS only. Where the PSP brings no certificate, the secret is
   * the token in the address, which was compared when the credential was found by it.
   */
  verify: ({ hasTrustedCertificate }, { notificationAuth }) =>
    notificationAuth === 'urlToken' || hasTrustedCertificate,

  charges(raw) {
    const { pix } = readNotification(body, raw);
    const named = new Map<string, NotifiedCharge>();
    for (const { txid } of pix ?? []) {
      for (const charge of notifiedCharge(txid, null)) named.set(charge.transactionId ?? '', charge);
    }
    return [...named.values()];
  },
};
