import { type FollowedPayment, followPayment } from './follow-payment.ts';
import {
  isSettled,
  type Payment,
  type PaymentAddress,
  type PaymentError,
  type PaymentStatus,
} from './payment.ts';
import { styleSheet } from './style.ts';
import { type Language, languageOf } from './texts.ts';
import { View } from './view.ts';

/** Named after statuses: when the payment's is first known, and whenever it changes. `error`: it cannot be shown. */
export type PixCheckoutEventMap = Record<PaymentStatus, CustomEvent<Payment>> & {
  error: CustomEvent<PaymentError>;
};

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- It adds the types of events, nothing to initialize.
export interface PixCheckout {
  addEventListener<Name extends keyof PixCheckoutEventMap>(
    type: Name,
    listener: (this: PixCheckout, event: PixCheckoutEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** Servers that render pages import this, too, and have no elements. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

const properties = ['service', 'paymentId', 'token'] as const;

/** `<pix-checkout service payment-id token>`: one payment, as its payer sees it. */
export class PixCheckout extends Base implements PaymentAddress {
  static readonly observedAttributes: readonly string[] = ['service', 'payment-id', 'token', 'lang'];

  readonly #view = new View();
  #followed = '';
  #stop: (() => void) | undefined;
  #state: FollowedPayment = { isOffline: false };
  #timer: ReturnType<typeof setInterval> | undefined;
  #isUpdating = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [styleSheet()];
    root.append(this.#view.card);
  }

  get service(): string {
    return this.getAttribute('service') ?? '';
  }

  set service(value: string) {
    this.setAttribute('service', value);
  }

  get paymentId(): string {
    return this.getAttribute('payment-id') ?? '';
  }

  set paymentId(value: string) {
    this.setAttribute('payment-id', value);
  }

  get token(): string {
    return this.getAttribute('token') ?? '';
  }

  set token(value: string) {
    this.setAttribute('token', value);
  }

  /** Returns what was last seen. */
  get payment(): Payment | undefined {
    return this.#state.payment;
  }

  connectedCallback(): void {
    // Properties that were set before this class was loaded hide its setters.
    for (const name of properties) {
      const own = Object.getOwnPropertyDescriptor(this, name);
      if (!own) continue;
      Reflect.deleteProperty(this, name);
      this[name] = own.value as string;
    }
    this.#update();
  }

  disconnectedCallback(): void {
    this.#update();
  }

  attributeChangedCallback(): void {
    this.#update();
  }

  /** Once for attributes that change together, and not for an element that is moved. */
  #update(): void {
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    queueMicrotask(() => {
      this.#isUpdating = false;
      this.#follow();
    });
  }

  #follow(): void {
    const { service, paymentId, token } = this;
    const address = JSON.stringify([service, paymentId, token]);
    if (address !== this.#followed) {
      this.#leave();
      this.#followed = address;
      this.#state = { isOffline: false };
    }
    if (!this.isConnected) {
      this.#leave();
      return;
    }
    this.#show();
    const { payment, error } = this.#state;
    if (this.#stop || error || (payment && isSettled(payment)) || !service || !paymentId || !token) return;
    this.#stop = followPayment({ service, paymentId, token }, (state) => this.#take(state), this.#state);
  }

  #leave(): void {
    this.#stop?.();
    this.#stop = undefined;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #take(state: FollowedPayment): void {
    const before = this.#state;
    this.#state = state;
    this.#show();
    const { payment, error } = state;
    if (payment && payment.status !== before.payment?.status)
      this.dispatchEvent(new CustomEvent(payment.status, { detail: payment }));
    if (error && error !== before.error) this.dispatchEvent(new CustomEvent('error', { detail: error }));
  }

  #language(): Language {
    return languageOf(this.closest<HTMLElement>('[lang]')?.lang);
  }

  #show(): void {
    const { payment, error } = this.#state;
    this.#view.show(this.#state, this.#language());
    if (payment?.status === 'pending' && !error) {
      this.#timer ??= setInterval(() => this.#tick(), 1000);
    } else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #tick(): void {
    this.#view.showTimeLeft(this.#state, this.#language().texts.timeLeft);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pix-checkout': PixCheckout;
  }
}
