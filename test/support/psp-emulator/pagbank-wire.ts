import { z } from 'zod';
import { crc16 } from '@pix-service/br-code';
import { type Cents, reaisFromCents } from '../../../src/core/base/money.ts';
import { brasiliaIso } from '../../../src/core/base/time/brasilia.ts';
import type { EmulatedCharge } from './ledger.ts';
import type { Reply } from './psp.ts';

const phone = z.object({
  country: z.string().regex(/^\d{1,3}$/),
  area: z.string().regex(/^\d{2}$/),
  number: z.string().regex(/^\d{8,9}$/),
  type: z.enum(['MOBILE', 'BUSINESS', 'HOME']),
});

export const orderBody = z.object({
  reference_id: z.string().min(1).max(64),
  customer: z.object({
    // Other characters are refused with 40002.
    name: z.string().regex(/^[\p{L}\p{N}\s]{1,120}$/u),
    email: z.email().max(255),
    tax_id: z.string().regex(/^(\d{11}|[0-9A-Z]{12}\d{2})$/),
    phones: z.array(phone).optional(),
  }),
  items: z
    .array(
      z.object({
        name: z.string().min(1).max(100),
        quantity: z.int().positive(),
        unit_amount: z.int().positive(),
      }),
    )
    .min(1),
  qr_codes: z
    .array(
      z.object({
        amount: z.object({ value: z.int().positive() }),
        expiration_date: z.iso.datetime({ offset: true }).optional(),
      }),
    )
    .length(1),
  // A URL that it cannot reach is refused.
  notification_urls: z.array(z.url({ protocol: /^https$/, hostname: z.regexes.domain })).optional(),
});

export const cancelBody = z.object({ amount: z.object({ value: z.int().positive() }) });

interface Message {
  code?: string;
  error?: string;
  description?: string;
  parameter_name?: string;
}

export const refused = (status: number, ...messages: Message[]): Reply => ({
  status,
  body: { error_messages: messages },
});

/** As the order's members are written: `qr_codes[0].amount.value`. */
const memberOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}${text && '.'}${String(part)}`),
    '',
  );

export const violations = ({ issues }: z.ZodError): Reply =>
  refused(
    400,
    ...issues.map(({ path }) => ({
      code: '40002',
      error: 'invalid_parameter',
      description: 'Field has an invalid value. Please check the documentation.',
      parameter_name: memberOf(path),
    })),
  );

export const chargeIdOf = ({ details }: EmulatedCharge): string => String(details['chargeId']);

export interface Shown {
  origin: string;
  hasEndToEndId: boolean;
  hasCharges: boolean;
  /** The sum of the refunds is all that shows of them. */
  refundedInCents: bigint;
}

function statusOf(charge: EmulatedCharge, { refundedInCents }: Pick<Shown, 'refundedInCents'>): string {
  if (typeof charge.details['status'] === 'string') return charge.details['status'];
  return refundedInCents >= charge.amountInCents ? 'CANCELED' : 'PAID';
}

const linkOf = (rel: string, href: string, type = 'GET') => ({ rel, href, media: 'application/json', type });

const object = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`;

/** With a second template of PagBank's own and a real category, as its codes have. */
export function codeOf(uuid: string, amountInCents: Cents): string {
  const code = [
    object('00', '01'),
    object('26', object('00', 'br.gov.bcb.pix') + object('25', `api-h.pagseguro.com/pix/v2/${uuid}`)),
    object('27', object('00', 'BR.COM.PAGSEGURO') + object('01', uuid)),
    object('52', '8220'),
    object('53', '986'),
    object('54', reaisFromCents(amountInCents).toFixed(2)),
    object('58', 'BR'),
    object('59', 'Loja Emulada LTDA'),
    object('60', 'Sao Bernardo do'),
    object('62', object('05', '***')),
    '6304',
  ].join('');
  return code + crc16(code);
}

export function chargeOf(charge: EmulatedCharge, shown: Omit<Shown, 'hasCharges'>) {
  const { origin, hasEndToEndId, refundedInCents } = shown;
  const [pix] = charge.pix;
  const href = `${origin}/charges/${chargeIdOf(charge)}`;
  const total = Number(charge.amountInCents);
  return {
    id: chargeIdOf(charge),
    reference_id: charge.transactionId,
    status: statusOf(charge, shown),
    created_at: brasiliaIso(pix?.paidAt ?? charge.createdAt),
    ...(pix && { paid_at: brasiliaIso(pix.paidAt) }),
    amount: {
      value: Number(pix?.amountInCents ?? total),
      currency: 'BRL',
      summary: { total, paid: Number(pix?.amountInCents ?? 0), refunded: Number(refundedInCents) },
    },
    payment_response: { code: '20000', message: 'SUCESSO' },
    payment_method: {
      type: 'PIX',
      pix: {
        notification_id: charge.details['notificationId'],
        ...(hasEndToEndId && { end_to_end_id: pix?.endToEndId }),
        ...(pix?.payer && { holder: { name: pix.payer.name, tax_id: pix.payer.document } }),
      },
    },
    links: [linkOf('SELF', href), linkOf('CHARGE.CANCEL', `${href}/cancel`, 'POST')],
  };
}

export function orderOf(charge: EmulatedCharge, shown: Shown) {
  const { reference, transactionId, createdAt, expiresAt, details } = charge;
  const href = `${shown.origin}/orders/${reference}`;
  return {
    id: reference,
    reference_id: transactionId,
    created_at: brasiliaIso(createdAt),
    customer: details['customer'],
    items: details['items'],
    qr_codes: [
      {
        id: details['qrCodeId'],
        expiration_date: brasiliaIso(expiresAt),
        amount: { value: Number(charge.amountInCents) },
        text: details['code'],
        arrangements: ['PIX'],
        links: [],
      },
    ],
    ...(shown.hasCharges && { charges: [chargeOf(charge, shown)] }),
    notification_urls: details['notificationUrls'] ?? [],
    links: [linkOf('SELF', href), linkOf('PAY', `${href}/pay`, 'POST')],
  };
}
