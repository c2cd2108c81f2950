import type { Base } from '../../wiring/base.ts';
import { createCheckoutKeys } from './checkout-keys.ts';
import { createCheckoutLinks } from './checkout-links.ts';

export type LinkServices = ReturnType<typeof wireLinks>;

/** These are wired before payments, whose views contain the addresses of their pages. */
export function wireLinks(base: Base) {
  const checkoutKeys = createCheckoutKeys(base);
  return { checkoutKeys, links: createCheckoutLinks(checkoutKeys, base.publicUrl, base.testClocks) };
}
