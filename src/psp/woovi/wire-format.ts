import { z } from 'zod';
import { cents } from '../../core/base/money.ts';
import { instant, optionally } from '../kit/moment.ts';
import { centavos, ifReadable, orUnreadable, told } from '../kit/response.ts';

const charge = z.object({
  status: z.string(),
  value: centavos,
  correlationID: z.string(),
  transactionID: ifReadable(z.string()),
  identifier: ifReadable(z.string()),
  expiresDate: optionally(instant),
  brCode: ifReadable(z.string()),
  paidAt: optionally(instant),
  updatedAt: optionally(instant),
  discountSettings: ifReadable(
    z.object({ discountFixedDate: z.array(z.object({ data: z.string().nullish() })).nullish() }),
  ),
});

/** A refund made in Woovi's dashboard may lack our id. */
const refund = z.object({
  status: z.string(),
  value: centavos,
  correlationID: z.string().nullish(),
  endToEndId: z.string().nullish(),
  time: optionally(instant),
});

const transaction = z.object({
  type: z.string().nullish(),
  /** Only that of a charge with a due date can be another than the charge's. */
  value: ifReadable(centavos),
  time: optionally(instant),
  endToEndId: z.string().nullish(),
  /** As in the example of OPENPIX:CHARGE_COMPLETED; the customer is the payer asked for. */
  payer: ifReadable(
    z.object({
      name: told,
      taxID: ifReadable(z.union([z.string(), z.object({ taxID: told }).transform(({ taxID }) => taxID)])),
    }),
  ),
  infoPagador: told,
  charge: z.object({ correlationID: z.string().nullish() }).nullish(),
});

/**
 * A dispute is identified by the end-to-end id of its Pix. The value is a number or a string, and missing from a MED
 * (woovibr/woovi-developers, dispute-get-payload and woovi.json). Who complains is not read.
 */
const dispute = z.object({
  /** Missing from one that a payer opened at Woovi. */
  id: ifReadable(z.string()),
  status: z.string(),
  type: z.string().nullish(),
  value: z
    .union([z.int(), z.string().regex(/^\d{1,15}$/)])
    .transform((value) => cents(Number(value)))
    .nullish()
    .catch(undefined),
  createdAt: optionally(instant),
});

export const chargeResponse = z.object({ charge });
export const refundResponse = z.object({ refund });
/** `GET /refund/{id}`, whose example in woovi.json has no status. */
export const pixRefundResponse = z.object({
  pixTransactionRefund: refund.extend({ status: z.string().default('') }),
});
export const refundsResponse = z.object({ refunds: z.array(refund) });

export const transactionResponse = z.object({ transaction });
/** The documentation's example has a single transaction where its schema has a list. */
export const transactionsResponse = z.object({
  transactions: z.union([z.array(transaction), transaction.transform((only) => [only])]),
});
export const disputeResponse = z.object({ dispute });
/** `POST /files` (woovibr/woovi-developers, docs/arquivos/upload-de-arquivo.md). */
export const fileResponse = z.object({ file: z.object({ id: z.string().min(1) }) });

const pageInfo = z.object({
  hasNextPage: z.boolean(),
  /** The developer pages have it, woovi.json does not. */
  totalCount: z.int().nullish().catch(undefined),
});

/** The response of `GET /api/v1/charge` in woovi.json. Only our ids of the charges and their types are read. */
export const chargesPage = z.object({
  charges: z.array(z.object({ correlationID: z.string().nullish(), type: ifReadable(z.string()) })),
  pageInfo,
});

const receivedTransaction = z.object({
  type: z.literal('PAYMENT').nullish(),
  value: centavos,
  time: instant,
  endToEndId: z.string().min(1),
  transactionID: z.string().nullish(),
  charge: z
    .object({ correlationID: z.string().nullish(), fee: centavos.nullish().catch(undefined) })
    .nullish(),
});

/** A transaction that is neither a received Pix nor one of these cannot be read, so that no money is passed over. */
const otherTransaction = z.object({ type: z.enum(['WITHDRAW', 'REFUND', 'FEE']) }).transform(() => undefined);

const listedTransaction = z.union([receivedTransaction, otherTransaction]);

export const statementPage = z.object({
  transactions: z.array(orUnreadable(listedTransaction, { id: 'endToEndId', receivedAt: 'time' })),
  pageInfo,
});

export const receivedResponse = z.object({ transaction: listedTransaction });

/** The charge is enough, whatever else can be read. */
const sweptTransaction = z
  .looseObject({ charge: z.looseObject({ correlationID: z.string().nullish() }).nullish() })
  .transform((item) => ({
    correlationID: item.charge?.correlationID,
    read: listedTransaction.safeParse(item).data,
  }));

/** A page of at most 100 ("Como Paginar pela API de Transações?" of Woovi's developer pages). */
export const transactionPage = z.object({
  transactions: z.union([z.array(sweptTransaction), sweptTransaction.transform((only) => [only])]),
  pageInfo,
});

export type WooviReceived = z.output<typeof receivedTransaction>;
export type WooviTransaction = z.output<typeof transaction>;
export type WooviDispute = z.output<typeof dispute>;
export type WooviCharge = z.output<typeof charge>;
export type WooviRefund = z.output<typeof refund>;

export interface WooviAddress {
  zipcode: string;
  street: string;
  number: string;
  neighborhood?: string;
  city: string;
  state: string;
  complement?: string;
  country: 'BR';
}

export type WooviDiscount =
  | {
      modality: 'FIXED_VALUE_UNTIL_SPECIFIED_DATE' | 'PERCENTAGE_UNTIL_SPECIFIED_DATE';
      discountFixedDate: { daysActive: number; value: number }[];
    }
  | {
      modality: `${'VALUE' | 'PERCENTAGE'}_PER_${'RUNNING' | 'BUSINESS'}_DAY_ADVANCE`;
      value: number;
    };

export interface WooviDueBody {
  type: 'OVERDUE';
  /** ISO 8601. */
  dueDate: string;
  daysAfterDueDate: number;
  fines?: { value: number; type: 'FIXED' | 'PERCENTAGE' };
  discountSettings?: WooviDiscount;
}

export type WooviTermsBody =
  WooviDueBody | { type: 'DYNAMIC'; /** Woovi takes seconds. */ expiresIn: number };

/** Evidence in a dispute (woovibr/woovi-developers, docs/disputa/how-add-new-evidence-in-evidence.md). */
export interface WooviEvidence {
  fileId: string;
  description: string;
  correlationID: string;
}

export type WooviChargeBody = WooviTermsBody & {
  correlationID: string;
  /** Woovi takes centavos. */
  value: number;
  comment?: string;
  customer?: { name: string; taxID?: string; email?: string; phone?: string; address?: WooviAddress };
};
