import { createHash } from 'node:crypto';
import { z } from 'zod';
import { notifiedCharge, readNotification } from '../kit/notification.ts';
import type { PspNotifications } from '../kit/provider.ts';
import { isSameSecret } from '../../core/encryption/rules/same-secret.ts';
import type { PagbankSettings } from './settings.ts';

/** An order, or a charge of one; other products notify about themselves. */
const body = z.object({ id: z.string().nullish(), reference_id: z.string().nullish() });

export const pagbankNotifications: PspNotifications<PagbankSettings> = {
  /**
   * The signature is no HMAC (developer.pagbank.com.br/reference/confirmar-autenticidade-da-notificacao). Its sandbox does not
   * send the header (developer.pagbank.com.br/v1/discuss/6af575de619cc0735a2c7248), so without it a notification is unproven.
   */
  verify: ({ headers, body: bytes }, { token }) => {
    if (headers['x-authenticity-token'] === undefined) return 'unproven';
    const expected = createHash('sha256').update(`${token}-`).update(bytes).digest('hex');
    return isSameSecret(headers['x-authenticity-token'].toLowerCase(), expected);
  },

  charges(raw) {
    const { id, reference_id } = readNotification(body, raw);
    if (id?.startsWith('ORDE_')) return notifiedCharge(reference_id, id);
    return id?.startsWith('CHAR_') ? notifiedCharge(reference_id, null) : [];
  },
};
