import type { Base } from '../../wiring/base.ts';
import { createCheckoutKeys } from './checkout-keys.ts';
import { createCheckoutLinks } from './checkout-links.ts';

export type LinkServices = ReturnType<typeof wireLinks>;

/** Views of payments contain the addresses of their pages, so that these come before payments. */
export function wireLinks(base: Base) {
  const checkoutKeys = createCheckoutKeys(base);
  return { checkoutKeys, links: createCheckoutLinks(checkoutKeys, base.publicUrl) };
}
