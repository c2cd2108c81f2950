import { randomBytes } from 'node:crypto';
import {
  type CheckoutTokenKind,
  signCheckoutToken,
  verifyCheckoutToken,
} from '../../domain/security/checkout-token.ts';
import { type KeyRing, open, seal } from '../../domain/security/envelope.ts';
import {
  checkoutKeyId,
  findCheckoutKey,
  insertCheckoutKey,
} from '../../persistence/checkout/checkout-keys.ts';
import type { Database } from '../../persistence/database.ts';
import type { PaymentView } from '../payments/payment-view.ts';

/** The addresses of pages that anybody who has one may open. */
export interface CheckoutLinks {
  /** Before anything else: reads the key that signs addresses; the first start on a database creates it. */
  open(): Promise<void>;
  /** Under PUBLIC_URL: whatever host a request names, it has no part in it. */
  urlOf(kind: CheckoutTokenKind, id: string): string;
  withCheckout(view: PaymentView): PaymentView;
  /** The id that an address was made for; undefined for a token of somebody's own making. Needs no database. */
  idOf(kind: CheckoutTokenKind, token: string): string | undefined;
}

interface Dependencies {
  db: Database;
  keyRing: KeyRing;
  publicUrl: string;
  now: () => Date;
}

const keyBytes = 32;
const paths: Record<CheckoutTokenKind, string> = { payment: '/pay/', link: '/pay/l/' };

export function createCheckoutLinks({ db, keyRing, publicUrl, now }: Dependencies): CheckoutLinks {
  let key: Buffer | undefined;

  function openKey(): Buffer {
    if (!key) throw new Error('the key of checkout pages has not been opened');
    return key;
  }

  const urlOf: CheckoutLinks['urlOf'] = (kind, id) =>
    publicUrl + paths[kind] + signCheckoutToken(openKey(), kind, id);

  return {
    async open() {
      let sealed = await findCheckoutKey(db);
      if (sealed === undefined) {
        const fresh = randomBytes(keyBytes).toString('base64');
        await insertCheckoutKey(db, seal(keyRing, fresh, checkoutKeyId), now());
        // When nodes start at once, one creates it and the others have to take that one.
        sealed = await findCheckoutKey(db);
      }
      if (sealed === undefined) throw new Error('the key of checkout pages could not be stored');
      key = Buffer.from(open(keyRing, sealed, checkoutKeyId), 'base64');
    },
    urlOf,
    withCheckout: (view) => ({ ...view, checkoutUrl: urlOf('payment', view.id) }),
    idOf: (kind, token) => verifyCheckoutToken(openKey(), kind, token),
  };
}
