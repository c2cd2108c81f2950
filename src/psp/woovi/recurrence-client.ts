import { z } from 'zod';
import { PspError, throwUnknownOutcome } from '../../core/providers/rules/psp-error.ts';
import type { OpenHttpClient } from '../http/http-client.ts';
import { instant, optionally } from '../kit/moment.ts';
import { allPages, centavos, ifReadable, responseReader } from '../kit/response.ts';
import { openWoovi } from './client.ts';
import { isNotFound, refusalOf } from './refusal.ts';
import type { WooviSettings } from './settings.ts';
import type { WooviChargeBody } from './wire-format.ts';

const text = ifReadable(z.string());
const moment = optionally(instant);

/** woovi.json has `pixRecurringOptions` where every example of developers.woovi.com/docs/pix-automatic has `pixRecurring`. */
const subscription = z.object({
  globalID: z.string().min(1),
  correlationID: text,
  value: centavos,
  status: text,
  customer: ifReadable(z.object({ taxID: ifReadable(z.object({ taxID: text })) })),
  pixRecurring: z.object({ status: z.string(), emv: text }),
});

export type Subscription = z.output<typeof subscription>;

const cobr = z.object({
  status: z.string(),
  value: centavos,
  endToEndId: text,
  rejectCode: text,
  tries: z
    .array(
      z.object({
        tryStatus: text,
        rejectCode: text,
        requestedExecutionDate: moment,
      }),
    )
    .nullish()
    .transform((tries) => tries ?? []),
});

/** `Installment` of woovi.json. */
const installment = z.object({
  globalID: z.string().min(1),
  paymentSubscriptionGlobalID: text,
  dateGenerateCharge: moment,
  installmentNumber: ifReadable(z.int()),
  value: centavos,
  status: text,
  cobr: cobr.nullish(),
});

export type Installment = z.output<typeof installment>;

const subscriptionResponse = z.object({ subscription });
/** woovi.json has it inside a member, and the page on the routes has it alone. */
const installmentResponse = z.union([
  z.object({ installment }).transform((response) => response.installment),
  installment,
]);
const installmentsPage = z.object({
  installments: z.array(installment),
  pageInfo: ifReadable(z.object({ hasNextPage: z.boolean() })),
});

export interface SubscriptionBody {
  type: 'PIX_RECURRING';
  correlationID: string;
  name: string;
  value: number;
  /** The contract, which the payer's bank shows. */
  comment: string;
  frequency: string;
  /** A moment of the day of the first installment. */
  dayGenerateCharge: string;
  /** Days after its own on which an installment is tried for the last time. */
  dayDue: number;
  installmentCount?: number;
  customer: WooviChargeBody['customer'];
  pixRecurringOptions: { journey: string; retryPolicy: string };
}

/** Subscriptions, and the installments that Woovi makes of them. */
export interface RecurrenceClient {
  create(body: SubscriptionBody, signal: AbortSignal): Promise<Subscription>;
  /** By Woovi's id or ours. */
  find(id: string, signal: AbortSignal): Promise<Subscription | undefined>;
  /** Asks for the end. Whatever Woovi responds, the subscription itself says what became of it. */
  cancel(id: string, signal: AbortSignal): Promise<Subscription>;
  listInstallments(subscriptionId: string, signal: AbortSignal): Promise<Installment[]>;
  findInstallment(id: string, signal: AbortSignal): Promise<Installment | undefined>;
}

const read = responseReader(refusalOf);

export function createRecurrenceClient(settings: WooviSettings, openHttp: OpenHttpClient): RecurrenceClient {
  const call = openWoovi(settings, openHttp);
  const pathOf = (id: string) => `/subscriptions/${encodeURIComponent(id)}`;

  const find: RecurrenceClient['find'] = async (id, signal) => {
    const response = await call('GET', pathOf(id), signal);
    return isNotFound(response) ? undefined : read(subscriptionResponse, response).subscription;
  };

  return {
    find,

    async create(body, signal) {
      return read(subscriptionResponse, await call('POST', '/subscriptions', signal, body)).subscription;
    },

    async cancel(id, signal) {
      const response = await call('PUT', `${pathOf(id)}/cancel`, signal);
      const found = await find(id, signal).catch(throwUnknownOutcome);
      if (found) return found;
      throw response.status >= 400
        ? refusalOf(response)
        : new PspError('unknown', 'Woovi no longer knows the subscription that it cancelled');
    },

    listInstallments(subscriptionId, signal) {
      const seen = new Set<string>();
      return allPages(async (skip) => {
        const response = await call('GET', `${pathOf(subscriptionId)}/installments?skip=${skip}`, signal);
        const { installments, pageInfo } = read(installmentsPage, response);
        // Nothing says that `skip` is obeyed here, as it is in other lists.
        const items = installments.filter(({ globalID }) => !seen.has(globalID));
        for (const { globalID } of items) seen.add(globalID);
        return { items, hasMore: pageInfo?.hasNextPage === true };
      });
    },

    async findInstallment(id, signal) {
      const response = await call('GET', `/installments/${encodeURIComponent(id)}`, signal);
      return isNotFound(response) ? undefined : read(installmentResponse, response);
    },
  };
}
