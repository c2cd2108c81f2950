import { z } from 'zod';
import { notifiedCharge, readNotification } from '../kit/notification.ts';
import type { NotifiedCharge } from '../../domain/providers/psp.ts';
import type { PspNotifications } from '../kit/provider.ts';
import type { BacenSettings } from './settings.ts';

/** Only the txid is read; everything else is looked up at the PSP. */
const body = z.object({
  pix: z.array(z.object({ txid: z.string().nullish() })).nullish(),
});

export const bacenNotifications: PspNotifications<BacenSettings> = {
  /**
   * The standard has no signatures, only mutual TLS. For PSPs without a client certificate the secret is the token
   * in the URL, which was checked when it identified the credential.
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
