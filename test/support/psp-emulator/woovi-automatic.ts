import { randomBytes, randomUUID } from 'node:crypto';
import { buildRecurrenceBrCode } from '@pix-service/br-code';
import type { z } from 'zod';
import { cents } from '../../../src/core/base/money.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { daysLater } from '../due/second-reckoning.ts';
import {
  type Asked,
  type AutomaticPix,
  daysUntil,
  isAfterCutOff,
  monthsLater,
  no,
  periodStart,
} from './automatic.ts';
import type { EmulatedPix, Ledger } from './ledger.ts';
import type { Exchange, Notification, Reply, Route } from './psp.ts';
import {
  codeOf,
  globalIdOf,
  type Installment,
  printedInstallment,
  printedSubscription,
  type Subscription,
  subscriptionBody,
  type Try,
} from './woovi-automatic-wire.ts';
import { refused, type WooviSwitch } from './woovi-wire.ts';

const periods = { WEEKLY: 'week', MONTHLY: 1, QUARTERLY: 3, SEMIANNUALLY: 6, ANNUALLY: 12 } as const;

type Body = z.output<typeof subscriptionBody>;

interface Options {
  ledger: Ledger;
  has: (name: WooviSwitch) => boolean;
  told: (body: object) => Notification;
}

const newId = () => randomBytes(12).toString('hex');
const newIdentifier = () => `01K${randomUUID().replaceAll('-', '').toUpperCase().slice(0, 23)}`;

/** Pix Automático: journeys 2 and 3. What is marked as a guess in comments is documented nowhere. */
export function wooviAutomatic({ ledger, has, told }: Options) {
  const subscriptions: Subscription[] = [];
  const installments: Installment[] = [];
  const outbox: Notification[] = [];
  const journal: Asked[] = [];
  const today = () => brasiliaDay(ledger.now());
  const of = (subscription: Subscription) =>
    installments.filter((each) => each.subscription === subscription);
  const shown = (each: Installment) => printedInstallment(each, { hasTries: !has('noTries') });

  const tellOf = (each: Subscription, event: string) =>
    outbox.push(told({ event: `PIX_AUTOMATIC_${event}`, ...printedSubscription(each) }));
  const tell = (each: Installment, event: string) =>
    outbox.push(
      told({ event: `PIX_AUTOMATIC_${event}`, ...printedInstallment(each, { event, hasTries: true }) }),
    );

  /** Or why the day is not taken. */
  function firstDayOf({ dayGenerateCharge: day, dayDue, pixRecurringOptions }: Body): string | Reply {
    const now = ledger.now();
    const first = typeof day === 'string' ? day.slice(0, 10) : nextDayOfMonth(today(), day);
    if (pixRecurringOptions.journey === 'PAYMENT_ON_APPROVAL') {
      // Seen by others: the day is that of UTC, and a charge of today may be late by a week at most.
      if (Number(first.slice(8)) !== now.getUTCDate())
        return refused('dayGenerateCharge deve ser o dia atual');
      return dayDue > 7 ? refused('dayDue deve ser entre 3 e 7') : today();
    }
    return daysUntil(now, first) < 3
      ? refused('A data de início deve ser de pelo menos 3 dias a partir de hoje')
      : first;
  }

  function permit({ json }: Exchange): Reply {
    const parsed = subscriptionBody.safeParse(json);
    if (!parsed.success) return refused(`${parsed.error.issues[0]?.path.join('.') ?? 'body'} inválido`);
    const { correlationID, pixRecurringOptions } = parsed.data;
    // A guess, but a subscription is found by it.
    if (subscriptions.some((each) => each.correlationID === correlationID))
      return refused('Já existe uma assinatura com o correlationID fornecido');
    const firstDay = firstDayOf(parsed.data);
    if (typeof firstDay !== 'string') return firstDay;
    const reference = randomUUID();
    const allows = pixRecurringOptions.retryPolicy === 'NON_PERMITED' ? 'N' : 'R';
    const made: Subscription = {
      ...parsed.data,
      id: newId(),
      recurrencyId: `R${allows}54811417${today().replaceAll('-', '')}${newId().slice(0, 11)}`,
      emv: buildRecurrenceBrCode({
        recurrenceLocation: `qr-h.woovi.example/qr/v2/rec/${reference}`,
        location:
          pixRecurringOptions.journey === 'PAYMENT_ON_APPROVAL'
            ? `qr-h.woovi.example/qr/v2/cob/${reference}`
            : undefined,
        merchantName: 'WOOVI',
        merchantCity: 'Sao Paulo',
      }),
      firstDay,
      status: 'ACTIVE',
      pixStatus: 'CREATED',
    };
    subscriptions.push(made);
    plan(made);
    return { status: 200, body: { subscription: printedSubscription(made) } };
  }

  /** "As parcelas são criadas de forma incremental, sempre que a última for paga ou cancelada." */
  function plan(subscription: Subscription): void {
    const ahead = has('monthsAhead') ? 6 : 1;
    const open = of(subscription).filter(
      ({ status }) => status === 'SCHEDULED' || status === 'ACTIVE',
    ).length;
    for (let count = open; count < ahead; count += 1) {
      const number = of(subscription).length + 1;
      const { firstDay, frequency, value, installmentCount = Infinity } = subscription;
      if (number > installmentCount) return;
      const day = periodStart(firstDay, periods[frequency], number - 1);
      const made = { id: newId(), subscription, number, day, value, pix: [], createdAt: ledger.now() };
      installments.push({ ...made, status: 'SCHEDULED' });
    }
  }

  /** Four days before, Woovi asks for what nobody has asked for. */
  function turn(): void {
    for (const each of installments) {
      const days = daysUntil(ledger.now(), each.day);
      const isDue = each.status === 'SCHEDULED' && !each.cobr && days <= 4 && days >= 2;
      if (isDue && each.subscription.pixStatus === 'APPROVED') charge(each, each.value, false);
      const isOver = daysLater(each.day, Math.min(each.subscription.dayDue, 7)) < today();
      if (each.cobr?.status === 'FAILED_TRY' && each.cobr.tries.at(-1)?.status === 'REJECTED' && isOver)
        giveUp(each);
    }
  }

  function charge(each: Installment, value: number, isManual: boolean): void {
    const at = ledger.now();
    const tries: Try[] = [{ day: each.day, status: 'REQUESTED', at }];
    each.cobr = { identifierId: newIdentifier(), status: 'CREATED', value, isManual, tries, createdAt: at };
    tell(each, 'COBR_CREATED');
  }

  function reasonAgainst(each: Installment, value: unknown): string | undefined {
    const days = daysUntil(ledger.now(), each.day);
    if (each.cobr) return 'A parcela já tem cobr';
    if (each.subscription.pixStatus !== 'APPROVED') return 'A recorrência não está aprovada';
    if (each.status !== 'SCHEDULED') return 'A parcela não está agendada';
    if (!Number.isInteger(value) || Number(value) <= 0) return 'value inválido';
    if (Number(value) < (each.subscription.pixRecurringOptions.minimumValue ?? 0))
      return 'O valor é menor que o valor mínimo da recorrência';
    // "Terá entre 5 a 10 dias antes da data cobrança para realizar a criação."
    return days < 5 || days > 10 ? 'A cobrança deve ser criada de 5 a 10 dias antes' : undefined;
  }

  function create(each: Installment, { json }: Exchange): Reply {
    const { value = each.value } = json;
    const reason = reasonAgainst(each, value);
    const recurrenceId = globalIdOf(each.subscription);
    journal.push({ act: 'create', recurrenceId, day: each.day, isAccepted: reason === undefined });
    if (reason) return refused(reason);
    charge(each, Number(value), true);
    return { status: 200, body: shown(each) };
  }

  /** The request has no day: a guess that it is tomorrow. */
  function retry(each: Installment, { json }: Exchange): Reply {
    const day = daysLater(today(), 1);
    const { cobr, subscription } = each;
    const isAccepted =
      cobr?.status === 'FAILED_TRY' &&
      (json['value'] ?? cobr.value) === cobr.value &&
      subscription.pixStatus === 'APPROVED' &&
      subscription.pixRecurringOptions.retryPolicy === 'THREE_RETRIES_7_DAYS' &&
      cobr.tries.length <= 3 &&
      day > each.day &&
      day <= daysLater(each.day, 7) &&
      cobr.tries.every((one) => one.status === 'REJECTED' && one.day !== day);
    journal.push({ act: 'retry', recurrenceId: globalIdOf(subscription), day, isAccepted });
    if (!isAccepted) return refused('Não é possível realizar uma nova tentativa');
    ask(each, day);
    return { status: 200, body: shown(each) };
  }

  function ask(each: Installment, day: string): void {
    each.cobr?.tries.push({ day, status: 'REQUESTED', at: ledger.now() });
    tell(each, 'COBR_TRY_REQUESTED');
  }

  function receive(each: Installment, endToEndId?: string): EmulatedPix {
    // A transaction of no charge.
    const charge = ledger.add({
      transactionId: '',
      reference: each.cobr?.identifierId ?? each.id,
      amountInCents: cents(each.cobr?.value ?? each.value),
      expiresAt: ledger.now(),
      details: { isDebit: true },
    });
    const pix = Object.assign(ledger.pay(charge), endToEndId && { endToEndId });
    each.pix.push(pix);
    return pix;
  }

  function conclude(each: Installment): void {
    if (each.cobr) Object.assign(each.cobr, { status: 'CONCLUDED', endedAt: ledger.now() });
    each.status = 'COMPLETED';
    plan(each.subscription);
  }

  function fail(each: Installment, code: string): void {
    const { cobr, subscription } = each;
    const last = cobr?.tries.at(-1);
    if (!cobr || !last) return;
    Object.assign(last, { status: 'REJECTED', rejectCode: code });
    cobr.status = 'FAILED_TRY';
    tell(each, 'COBR_TRY_REJECTED');
    const isRetried = subscription.pixRecurringOptions.retryPolicy === 'THREE_RETRIES_7_DAYS';
    // A guess: what we have asked for, we ask for again.
    if (isRetried && cobr.isManual && !has('retriesManual')) return;
    const next = isRetried ? retryDaysOf(each).find((day) => day > today() && day > last.day) : undefined;
    if (next) ask(each, next);
    else giveUp(each);
  }

  /** A day later, between that day and the one on which the charge expires, and on that. */
  function retryDaysOf({ day, subscription }: Installment): string[] {
    const last = Math.min(subscription.dayDue, 7);
    return [1, Math.ceil(last / 2), last].map((days) => daysLater(day, days));
  }

  function giveUp(each: Installment): void {
    if (each.cobr) Object.assign(each.cobr, { status: 'REJECTED', endedAt: ledger.now() });
    each.status = today() < each.day ? 'CANCELED' : 'EXPIRED';
    tell(each, 'COBR_REJECTED');
    plan(each.subscription);
  }

  function end(subscription: Subscription, pixStatus: 'REJECTED' | 'CANCELED'): void {
    Object.assign(subscription, { status: 'INACTIVE', pixStatus });
    for (const each of of(subscription)) {
      const day = each.cobr?.tries.at(-1)?.day ?? each.day;
      const isOpen = each.status === 'SCHEDULED' || each.status === 'ACTIVE';
      // A debit of today goes its way.
      if (!isOpen || (each.cobr && isAfterCutOff(ledger.now(), day))) continue;
      each.status = 'CANCELED';
      if (each.cobr) Object.assign(each.cobr, { status: 'CANCELED', endedAt: ledger.now() });
    }
  }

  function cancel(each: Subscription): Reply {
    const isAccepted = each.pixStatus === 'CREATED' || each.pixStatus === 'APPROVED';
    journal.push({ act: 'end', recurrenceId: globalIdOf(each), isAccepted });
    if (!isAccepted) return refused('A assinatura não está ativa');
    end(each, 'CANCELED');
    return { status: 200, body: { subscription: printedSubscription(each) } };
  }

  function revalue(each: Subscription, { json: { value } }: Exchange): Reply {
    const least = each.pixRecurringOptions.minimumValue;
    if (least === undefined) return refused('A assinatura não aceita valor dinâmico');
    if (!Number.isInteger(value) || Number(value) < least) return refused('value inválido');
    each.value = Number(value);
    for (const one of of(each)) if (one.status === 'SCHEDULED' && !one.cobr) one.value = each.value;
    return { status: 200, body: { subscription: printedSubscription(each) } };
  }

  function listOf(name: string, all: readonly object[], query: URLSearchParams): Reply {
    const [skip, limit] = [Number(query.get('skip') ?? 0), Number(query.get('limit') ?? 100)];
    const hasNextPage = skip + limit < all.length;
    const pageInfo = { skip, limit, totalCount: all.length, hasPreviousPage: skip > 0, hasNextPage };
    return { status: 200, body: { [name]: all.slice(skip, skip + limit), pageInfo } };
  }

  const withSubscription =
    (act: (each: Subscription, exchange: Exchange) => Reply, isByOurs = true): Route['reply'] =>
    (exchange) => {
      turn();
      const [id] = exchange.parameters;
      const found = subscriptions.find(
        (each) => globalIdOf(each) === id || (isByOurs && each.correlationID === id),
      );
      return found ? act(found, exchange) : refused('Assinatura não encontrada');
    };

  const withInstallment =
    (act: (each: Installment, exchange: Exchange) => Reply): Route['reply'] =>
    (exchange) => {
      turn();
      const [id] = exchange.parameters;
      const found = installments.find(
        (each) => globalIdOf(each) === id || each.pix.some(({ endToEndId }) => endToEndId === id),
      );
      return found ? act(found, exchange) : refused('Parcela não encontrada');
    };

  const path = (rest: RegExp) => new RegExp(`/api/v1/${rest.source}`);
  const routes: Route[] = [
    {
      operation: 'permit',
      method: 'POST',
      path: path(/subscriptions/),
      reply(exchange) {
        const reply = permit(exchange);
        const made = reply.status === 200 ? subscriptions.at(-1) : undefined;
        const recurrenceId = made ? globalIdOf(made) : '';
        journal.push({ act: 'permit', recurrenceId, isAccepted: made !== undefined });
        return reply;
      },
    },
    {
      operation: 'find_recurrence',
      method: 'GET',
      path: path(/subscriptions\/?/),
      reply: ({ query }) => listOf('subscriptions', subscriptions.map(printedSubscription), query),
    },
    {
      operation: 'find_recurrence',
      method: 'GET',
      path: path(/subscriptions\/([^/]+)/),
      reply: withSubscription((each) => ({ status: 200, body: { subscription: printedSubscription(each) } })),
    },
    {
      operation: 'end_recurrence',
      method: 'PUT',
      path: path(/subscriptions\/([^/]+)\/cancel/),
      reply: withSubscription(cancel),
    },
    {
      operation: 'other',
      method: 'PUT',
      path: path(/subscriptions\/([^/]+)\/value/),
      reply: withSubscription(revalue),
    },
    {
      operation: 'find_debit',
      method: 'GET',
      path: path(/subscriptions\/([^/]+)\/installments/),
      // "The globalID of the subscription" alone.
      reply: withSubscription((each, { query }) => listOf('installments', of(each).map(shown), query), false),
    },
    {
      operation: 'find_debit',
      method: 'GET',
      path: path(/installments\/([^/]+)/),
      // woovi.json wraps it, the example of "Rotas API" does not.
      reply: withInstallment((each) => ({
        status: 200,
        body: has('wrappedInstallment') ? { installment: shown(each) } : shown(each),
      })),
    },
    {
      operation: 'create',
      method: 'POST',
      path: path(/installments\/([^/]+)\/cobr/),
      reply: withInstallment(create),
    },
    {
      operation: 'retry_debit',
      method: 'POST',
      path: path(/installments\/([^/]+)\/cobr\/retry/),
      reply: withInstallment(retry),
    },
  ];

  const subscriptionOf = (id: string, ...statuses: readonly Subscription['pixStatus'][]): Subscription => {
    turn();
    const found =
      subscriptions.find((each) => globalIdOf(each) === id) ?? no(`there is no subscription ${id}`);
    return statuses.includes(found.pixStatus) ? found : no(`subscription ${id} is ${found.pixStatus}`);
  };
  const liveOf = (id: string, status: Try['status']) => {
    turn();
    const each = installments.find((one) => globalIdOf(one) === id) ?? no(`there is no installment ${id}`);
    const last = each.cobr?.tries.at(-1);
    if (!each.cobr || last?.status !== status || each.cobr.status === 'CANCELED')
      return no(`no attempt of ${id} is ${status}`);
    return { each, cobr: each.cobr, last };
  };

  const automatic: AutomaticPix = {
    outbox,
    journal,
    recurrences: () =>
      subscriptions.map((each) => ({
        id: globalIdOf(each),
        contract: each.correlationID,
        status: each.pixStatus,
      })),
    debits() {
      turn();
      return installments.flatMap((each) =>
        each.cobr
          ? {
              id: globalIdOf(each),
              recurrenceId: globalIdOf(each.subscription),
              day: each.day,
              amountInCents: BigInt(each.cobr.value),
              status: each.cobr.status,
              attempts: each.cobr.tries.map(({ day, status, rejectCode: code }) => ({ day, status, code })),
              pix: each.pix,
              madeAt: each.cobr.createdAt,
              endedAt: each.cobr.endedAt,
            }
          : [],
      );
    },
    approves(id) {
      const subscription = subscriptionOf(id, 'CREATED');
      subscription.pixStatus = 'APPROVED';
      tellOf(subscription, 'APPROVED');
      if (subscription.pixRecurringOptions.journey === 'ONLY_RECURRENCY') return;
      const first = of(subscription)[0] ?? no('there is no installment');
      const { endToEndId } = receive(first);
      const at = ledger.now();
      first.cobr = {
        identifierId: newIdentifier(),
        status: 'CONCLUDED',
        value: first.value,
        isManual: false,
        tries: [{ day: first.day, status: 'PAID', at }],
        endToEndId,
        createdAt: at,
      };
      conclude(first);
      tell(first, 'COBR_COMPLETED');
    },
    rejects(id) {
      const subscription = subscriptionOf(id, 'CREATED');
      end(subscription, 'REJECTED');
      tellOf(subscription, 'REJECTED');
    },
    revokes(id) {
      const subscription = subscriptionOf(id, 'APPROVED');
      end(subscription, 'REJECTED');
      tellOf(subscription, 'REJECTED');
    },
    schedules(debitId) {
      const { each, cobr, last } = liveOf(debitId, 'REQUESTED');
      const { value, pixRecurringOptions } = each.subscription;
      if (pixRecurringOptions.minimumValue === undefined && cobr.value !== value) {
        fail(each, 'AM09');
        return;
      }
      last.status = 'SCHEDULED';
      each.status = 'ACTIVE';
      cobr.status = 'ACTIVE';
      tell(each, 'COBR_APPROVED');
    },
    declines(debitId, outcome) {
      if (outcome === 'paid') no('a debit is not paid before its day');
      fail(liveOf(debitId, 'REQUESTED').each, codeOf(outcome));
    },
    callsOff(debitId) {
      const { each, cobr, last } = liveOf(debitId, 'SCHEDULED');
      if (today() >= last.day) no('a payer calls a debit off until the day before');
      Object.assign(last, { status: 'REJECTED', rejectCode: 'SLBD' });
      Object.assign(cobr, { status: 'CANCELED', endedAt: ledger.now() });
      each.status = 'CANCELED';
      plan(each.subscription);
    },
    settles(debitId, outcome) {
      const { each, cobr, last } = liveOf(debitId, 'SCHEDULED');
      if (last.day !== today()) no(`the debit of ${last.day} is not settled on ${today()}`);
      if (outcome !== 'paid' && outcome !== 'already_paid') {
        fail(each, codeOf(outcome));
        return;
      }
      cobr.endToEndId = receive(each).endToEndId;
      if (outcome === 'already_paid') {
        Object.assign(last, { status: 'REJECTED', rejectCode: codeOf(outcome) });
        cobr.status = 'FAILED_TRY';
        tell(each, 'COBR_TRY_REJECTED');
      } else last.status = 'PAID';
      conclude(each);
      if (outcome === 'paid') tell(each, 'COBR_COMPLETED');
    },
  };

  return { automatic, routes };
}

/** The next day with that number, today included; the 31st is the last day of a shorter month. */
function nextDayOfMonth(today: string, number: number): string {
  const firstOfMonth = `${today.slice(0, 8)}01`;
  const dayIn = (month: string) => {
    const last = daysLater(monthsLater(month, 1), -1);
    const day = `${month.slice(0, 8)}${String(number).padStart(2, '0')}`;
    return day > last ? last : day;
  };
  const day = dayIn(firstOfMonth);
  return day >= today ? day : dayIn(monthsLater(firstOfMonth, 1));
}
