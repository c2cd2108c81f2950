import { notifiedCharge, notifiedPix, readNotification } from '../kit/notification.ts';
import type { NotifiedCharge } from '../../core/providers/rules/charge.ts';
import type { PspNotifications } from '../kit/provider.ts';
import type { BacenSettings } from './account/settings.ts';
import { notification } from './wire-format.ts';

export const bacenNotifications: PspNotifications<BacenSettings> = {
  /**
   * The standard has no signatures, only mutual TLS. For PSPs without a client certificate the secret is the token
   * in the URL, which was checked when it identified the credential.
   */
  verify: ({ hasTrustedCertificate }, { notificationAuth }) =>
    notificationAuth === 'urlToken' || hasTrustedCertificate,

  charges(raw) {
    // When a webhook is registered, the PSP tries it with an empty body (Efí) or `{}`.
    if (raw.body.toString().trim() === '') return [];
    const { pix, recs, cobsr } = readNotification(notification, raw);
    const all: NotifiedCharge[] = [
      ...pix.flatMap(({ txid, endToEndId }) => notifiedPix(endToEndId, notifiedCharge(txid, null))),
      ...cobsr
        .flatMap(({ txid }) => notifiedCharge(txid, null))
        .map((each) => ({ ...each, kind: 'recurring' as const })),
      ...recs.flatMap(({ idRec }) =>
        idRec ? { transactionId: null, reference: null, recurrence: idRec } : [],
      ),
    ];
    return [
      ...new Map(
        all.map((each) => [each.transactionId ?? each.recurrence ?? each.endToEndId, each]),
      ).values(),
    ];
  },
};
