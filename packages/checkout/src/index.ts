import { PixCheckout } from './pix-checkout.ts';

const registry = globalThis.customElements as CustomElementRegistry | undefined;
if (registry && !registry.get('pix-checkout')) registry.define('pix-checkout', PixCheckout);

export { type Due, PaymentError, type Payment, type PaymentAddress, type PaymentStatus } from './payment.ts';
export { PixCheckout, type PixCheckoutEventMap } from './pix-checkout.ts';
