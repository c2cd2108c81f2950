import { randomUUID } from 'node:crypto';
import { buildRecurrenceBrCode } from '@pix-service/br-code';
import { cents, centsFromReais } from '../../../src/core/base/money.ts';
import {
  type Authorization,
  authorizationBody,
  type AuthorizationStatus,
  brazilian,
  type Instruction,
  printedAuthorization,
  printedInstruction,
  reasonOf,
} from './asaas-automatic-wire.ts';
import {
  type AsaasSwitch,
  type Customer,
  dayOf,
  listOf,
  refused,
  violation,
  yearAfter,
} from './asaas-wire.ts';
import {
  type Asked,
  type AutomaticPix,
  businessDaysUntil,
  isAfterCutOff,
  nextCycle,
  no,
  type Outcome,
} from './automatic.ts';
import { daysLater } from '../due/second-reckoning.ts';
import { isDay } from './due.ts';
import type { EmulatedCharge, Ledger } from './ledger.ts';
import type { Exchange, Notification, Reply, Route } from './psp.ts';

const periods = { WEEKLY: 'week', MONTHLY: 1, QUARTERLY: 3, SEMIANNUALLY: 6, ANNUALLY: 12 } as const;

interface Options {
  ledger: Ledger;
  customers: readonly Customer[];
  has: (name: AsaasSwitch) => boolean;
  newId: (prefix: string) => string;
  told: (event: string, about: object) => Notification;
  toldOfPayment: (charge: EmulatedCharge, event: string) => Notification;
  notFound: Reply;
}

/** Pix Automático, journey 3 alone. What is marked as a guess in comments is documented nowhere. */
export function asaasAutomatic(options: Options) {
  const { ledger, customers, has, newId, told, toldOfPayment, notFound } = options;
  const authorizations: Authorization[] = [];
  const instructions: Instruction[] = [];
  const outbox: Notification[] = [];
  const journal: Asked[] = [];

  const isLive = ({ status }: Instruction) => status === 'AWAITING_REQUEST' || status === 'SCHEDULED';
  const invalid = (description: string) => refused('invalid_action', description);
  const today = () => dayOf(ledger.now());

  const answered = (each: Authorization) =>
    printedAuthorization(each, has('brazilianDates') ? brazilian : undefined);

  /** The dates of a real notification were Brazilian, and its members had other names at other accounts. */
  function tell(about: Authorization | Instruction, event: string): void {
    const spell = has('isoDatesInEvents') ? undefined : brazilian;
    const member = (name: string) =>
      has('longNames') ? `pixAutomaticRecurring${name}` : name.charAt(0).toLowerCase() + name.slice(1);
    const isInstruction = 'charge' in about;
    const kind = isInstruction ? 'PAYMENT_INSTRUCTION' : 'AUTHORIZATION';
    const body = isInstruction
      ? { [member('PaymentInstruction')]: printedInstruction(about, spell) }
      : { [member('Authorization')]: printedAuthorization(about, spell) };
    outbox.push(told(`PIX_AUTOMATIC_RECURRING_${kind}_${event}`, body));
  }

  function end(each: Authorization, status: AuthorizationStatus, reason: string | null = null): void {
    Object.assign(each, { status, cancellationReason: reason, cancelledAt: reason ? ledger.now() : null });
    tell(each, status);
    for (const instruction of instructions) {
      const { authorization, dueDate } = instruction;
      // A debit of today goes its way.
      if (authorization === each && isLive(instruction) && !isAfterCutOff(ledger.now(), dueDate)) {
        cancel(instruction);
      }
    }
  }

  function cancel(instruction: Instruction): void {
    Object.assign(instruction, { status: 'CANCELLED', endedAt: ledger.now() });
    tell(instruction, 'CANCELLED');
  }

  function refuse(instruction: Instruction, outcome: Exclude<Outcome, 'paid'>): void {
    const refusalReason = reasonOf(outcome);
    Object.assign(instruction, { status: 'REFUSED', refusalReason, endedAt: ledger.now() });
    tell(instruction, 'REFUSED');
  }

  /** What time and other ways to pay have done since the last look. */
  function turn(): void {
    for (const each of authorizations) {
      if (each.status === 'CREATED' && each.qrCodeExpiresAt <= ledger.now()) {
        // "Fluxos de webhook" says REFUSED, "Eventos para Pix Automático" says EXPIRED.
        end(each, has('unpaidExpires') ? 'EXPIRED' : 'REFUSED');
      }
      if (each.status === 'ACTIVE' && each.finishDate && each.finishDate < today()) end(each, 'EXPIRED');
    }
    for (const each of instructions) {
      const [pix] = each.charge.pix;
      // "Se o pagamento for realizado até o dia anterior ao vencimento, a instrução … será automaticamente cancelada."
      const isPaidBefore = pix !== undefined && dayOf(pix.paidAt) < each.dueDate;
      const isDeleted = each.charge.isCancelled && !has('deletedIsDebited');
      if (isLive(each) && (isPaidBefore || isDeleted)) cancel(each);
    }
  }

  function permit(exchange: Exchange): Reply {
    const reply = make(exchange);
    const made = reply.status === 200 ? authorizations.at(-1)?.id : undefined;
    journal.push({ act: 'permit', recurrenceId: made ?? '', isAccepted: made !== undefined });
    return reply;
  }

  function make({ json }: Exchange): Reply {
    if (has('noAutomaticPix')) return notFound;
    const parsed = authorizationBody.safeParse(json);
    if (!parsed.success) return violation(parsed.error);
    const { customerId, description = '', value, minLimitValue, startDate, finishDate } = parsed.data;
    // The one text that somebody has published.
    if (description.length > 35)
      return invalid('A descrição da autorização não deve ultrapassar 35 caracteres.');
    if (!customers.some(({ id }) => id === customerId))
      return refused('invalid_customer', 'Customer inválido.');
    if (value !== undefined && minLimitValue !== undefined)
      return invalid('O valor mínimo não pode ser informado para autorizações de valor fixo.');
    if (parsed.data.paymentCreationMode === 'SUBSCRIPTION' && value === undefined)
      return refused('invalid_value', 'O campo value deve ser informado.');
    if (startDate < today() || (finishDate && finishDate < startDate))
      return invalid('A vigência da autorização é inválida.');
    const id = randomUUID();
    const allows = parsed.data.retryPolicy === 'NOT_ALLOWED' ? 'N' : 'R';
    const reference = randomUUID().replaceAll('-', '');
    const made: Authorization = {
      ...parsed.data,
      id,
      status: 'CREATED',
      endToEndIdentifier: `R${allows}19540550${today().replaceAll('-', '')}${reference.slice(0, 11)}`,
      payload: buildRecurrenceBrCode({
        location: `pix.asaas.example/qr/cob/${reference}`,
        recurrenceLocation: `pix.asaas.example/qr/rec/${reference}`,
        merchantName: 'ASAAS',
        merchantCity: 'Joinville',
      }),
      qrCodeExpiresAt: new Date(
        ledger.now().getTime() + parsed.data.immediateQrCode.expirationSeconds * 1000,
      ),
      conciliationIdentifier: `EMULADORLTDA${String(authorizations.length + 1).padStart(20, '0')}ASA`,
      cancellationReason: null,
      cancelledAt: null,
    };
    // Nothing is unique here: two may bear one contract.
    authorizations.push(made);
    tell(made, 'CREATED');
    return { status: 200, body: answered(made) };
  }

  function remove(each: Authorization): Reply {
    const isAccepted = each.status === 'CREATED' || each.status === 'ACTIVE';
    journal.push({ act: 'end', recurrenceId: each.id, isAccepted });
    if (!isAccepted) return has('endedIsGone') ? notFound : invalid('A autorização não pode ser cancelada.');
    end(each, 'CANCELLED', 'REQUESTED_BY_RECEIVER_USER');
    return { status: 200, body: answered(each) };
  }

  /** Why a payment that is to be debited cannot be made. */
  function refusalOfDebit(id: string, customer: string, value: number, day: string): Reply | undefined {
    turn();
    const refusal = reasonAgainst(id, customer, value, day);
    journal.push({ act: 'create', recurrenceId: id, day, isAccepted: !refusal });
    return refusal;
  }

  function reasonAgainst(id: string, customer: string, value: number, dueDate: string): Reply | undefined {
    const authorization = authorizations.find((each) => each.id === id);
    if (!authorization) return invalid('A autorização informada não foi encontrada.');
    if (authorization.status !== 'ACTIVE')
      return invalid('A autorização do Pix Automático deve estar ativa.');
    if (authorization.customerId !== customer)
      return invalid('O cliente da cobrança difere do cliente da autorização.');
    if (authorization.value !== undefined && authorization.value !== value)
      return invalid('O valor da cobrança difere do valor fixo da autorização.');
    // "Entre 2 e 10 dias úteis antes do vencimento. Fora dessa janela, a API retornará uma exceção."
    const days = businessDaysUntil(ledger.now(), dueDate);
    if (days < 2 || days > 10)
      return invalid('A cobrança deve ser criada entre 2 e 10 dias úteis antes do vencimento.');
    if (dueDate < authorization.startDate || (authorization.finishDate ?? dueDate) < dueDate)
      return invalid('O vencimento está fora da vigência da autorização.');
    return undefined;
  }

  function instruct(charge: EmulatedCharge, authorization: Authorization, dueDate: string, retry?: number) {
    const made: Instruction = {
      id: randomUUID(),
      authorization,
      charge,
      dueDate,
      status: 'AWAITING_REQUEST',
      endToEndIdentifier: null,
      retryAttempt: retry ?? null,
      refusalReason: null,
    };
    instructions.push(made);
    tell(made, 'CREATED');
    return made;
  }

  function born(charge: EmulatedCharge, authorizationId: string): void {
    const authorization =
      authorizations.find(({ id }) => id === authorizationId) ?? no('which authorization?');
    outbox.push(toldOfPayment(charge, 'PAYMENT_CREATED'));
    instruct(charge, authorization, String(charge.details['dueDate']));
  }

  /** The five texts are Asaas's own ("Processo de retentativas"); no code tells them apart. */
  function refusalOfRetry({ authorization, charge }: Instruction, dueDate: unknown): Reply | undefined {
    const before = instructions.filter((each) => each.charge === charge);
    const firstDay = String(charge.details['originalDueDate']);
    if (!isDay(dueDate)) return refused('invalid_dueDate', 'O campo dueDate informado é inválido.');
    if (authorization.retryPolicy === 'NOT_ALLOWED')
      return invalid('A autorização desta cobrança não permite retentativas extradia (Política N).');
    if (before.filter(({ retryAttempt }) => retryAttempt !== null).length >= 3)
      return invalid('Limite de retentativas excedido. A regra permite no máximo 3 tentativas.');
    if (dueDate > daysLater(firstDay, 7)) {
      return invalid(
        'A data solicitada ultrapassa o limite de 7 dias corridos permitidos após o vencimento original.',
      );
    }
    if (dueDate <= today()) {
      return invalid(
        'O agendamento da retentativa deve ser enviado até as 23h59 do dia anterior à data desejada para liquidação.',
      );
    }
    if (dueDate >= nextCycle(authorization.startDate, periods[authorization.frequency], firstDay)) {
      return invalid(
        'A data da retentativa não pode coincidir ou ultrapassar o dia de início do próximo ciclo da recorrência.',
      );
    }
    // What follows is a guess.
    if (authorization.status !== 'ACTIVE')
      return invalid('A autorização do Pix Automático deve estar ativa.');
    if (before.some((each) => isLive(each) || (each.retryAttempt !== null && each.dueDate === dueDate)))
      return invalid('Já existe uma instrução de pagamento para esta cobrança.');
    return undefined;
  }

  function retry(instruction: Instruction, { json }: Exchange): Reply {
    const refusal = refusalOfRetry(instruction, json['dueDate']);
    const { authorization, charge } = instruction;
    const day = String(json['dueDate']);
    journal.push({ act: 'retry', recurrenceId: authorization.id, day, isAccepted: !refusal });
    if (refusal) return refusal;
    const count = instructions.filter((each) => each.charge === charge && each.retryAttempt !== null).length;
    return { status: 200, body: printedInstruction(instruct(charge, authorization, day, count + 1)) };
  }

  const withTurn =
    (reply: (exchange: Exchange) => Reply): Route['reply'] =>
    (exchange) => {
      turn();
      return reply(exchange);
    };

  const withAuthorization = (act: (each: Authorization) => Reply) =>
    withTurn(({ parameters: [id] }) => {
      const found = authorizations.find((each) => each.id === id);
      return found ? act(found) : notFound;
    });

  const withInstruction = (act: (each: Instruction, exchange: Exchange) => Reply) =>
    withTurn((exchange) => {
      const found = instructions.find(({ id }) => id === exchange.parameters[0]);
      return found ? act(found, exchange) : notFound;
    });

  const isWanted = (query: URLSearchParams, values: Record<string, string>): boolean =>
    Object.entries(values).every(([name, value]) => (query.get(name) ?? value) === value);

  const authorizationsPath = /\/v3\/pix\/automatic\/authorizations/;
  const authorizationPath = /\/v3\/pix\/automatic\/authorizations\/([\w-]+)/;
  const routes: Route[] = [
    { operation: 'permit', method: 'POST', path: authorizationsPath, reply: permit },
    {
      operation: 'find_recurrence',
      method: 'GET',
      path: authorizationsPath,
      // There is no filter by the contract.
      reply: withTurn(({ query }) =>
        listOf(
          authorizations
            .filter(({ status, customerId }) => isWanted(query, { status, customerId }))
            .map((each) => answered(each)),
          query,
        ),
      ),
    },
    {
      operation: 'find_recurrence',
      method: 'GET',
      path: authorizationPath,
      reply: withAuthorization((each) => ({ status: 200, body: answered(each) })),
    },
    {
      operation: 'end_recurrence',
      method: 'DELETE',
      path: authorizationPath,
      reply: withAuthorization(remove),
    },
    {
      operation: 'find_debit',
      method: 'GET',
      path: /\/v3\/pix\/automatic\/paymentInstructions/,
      reply: withTurn(({ query }) =>
        listOf(
          instructions
            .filter(({ status, charge, authorization: { id, customerId } }) =>
              isWanted(query, { status, customerId, paymentId: charge.reference, authorizationId: id }),
            )
            .map((each) => printedInstruction(each)),
          query,
        ),
      ),
    },
    {
      operation: 'find_debit',
      method: 'GET',
      path: /\/v3\/pix\/automatic\/paymentInstructions\/([\w-]+)/,
      reply: withInstruction((each) => ({ status: 200, body: printedInstruction(each) })),
    },
    {
      operation: 'retry_debit',
      method: 'POST',
      path: /\/v3\/pix\/automatic\/paymentInstructions\/([\w-]+)\/retries/,
      reply: withInstruction(retry),
    },
  ];

  const authorizationOf = (id: string, status: AuthorizationStatus): Authorization => {
    turn();
    const found = authorizations.find((each) => each.id === id) ?? no(`there is no authorization ${id}`);
    return found.status === status ? found : no(`authorization ${id} is ${found.status}`);
  };
  const instructionOf = (debitId: string, status: Instruction['status']): Instruction => {
    turn();
    return (
      instructions.find((each) => each.charge.reference === debitId && each.status === status) ??
      no(`no instruction of ${debitId} is ${status}`)
    );
  };
  const receive = (charge: EmulatedCharge, endToEndId?: string | null) => {
    Object.assign(ledger.pay(charge), endToEndId && { endToEndId });
    outbox.push(toldOfPayment(charge, has('staysConfirmed') ? 'PAYMENT_CONFIRMED' : 'PAYMENT_RECEIVED'));
  };

  const automatic: AutomaticPix = {
    outbox,
    journal,
    recurrences() {
      turn();
      return authorizations.map(({ id, contractId, status }) => ({ id, contract: contractId, status }));
    },
    debits() {
      turn();
      const charges = new Set(instructions.map(({ charge }) => charge));
      return [...charges].map((charge) => {
        const attempts = instructions.filter((each) => each.charge === charge);
        return {
          id: charge.reference,
          recurrenceId: attempts[0]?.authorization.id ?? '',
          day: String(charge.details['originalDueDate']),
          amountInCents: charge.amountInCents,
          status: charge.isCancelled ? 'DELETED' : ledger.statusOf(charge),
          attempts: attempts.map(({ dueDate: day, status, refusalReason }) => ({
            day,
            status,
            code: refusalReason ?? undefined,
          })),
          pix: charge.pix,
          madeAt: charge.createdAt,
          endedAt: attempts.some(isLive) ? undefined : attempts.at(-1)?.endedAt,
        };
      });
    },
    approves(id) {
      const authorization = authorizationOf(id, 'CREATED');
      const { originalValue } = authorization.immediateQrCode;
      const [due, code] = [today(), authorization.payload];
      // The payment of the code is born when it is paid, without a reference of ours.
      const charge = ledger.add({
        transactionId: '',
        reference: newId('pay'),
        amountInCents: centsFromReais(originalValue) ?? cents(0),
        expiresAt: yearAfter(due),
        details: {
          customer: authorization.customerId,
          dueDate: due,
          originalDueDate: due,
          code,
          pixTransaction: randomUUID(),
          description: 'Cobrança gerada automaticamente a partir de Pix recebido.',
          pixQrCodeId: authorization.conciliationIdentifier,
        },
      });
      outbox.push(toldOfPayment(charge, 'PAYMENT_CREATED'));
      receive(charge);
      authorization.status = 'ACTIVE';
      tell(authorization, 'ACTIVATED');
    },
    rejects: (id) => {
      end(authorizationOf(id, 'CREATED'), 'REFUSED');
    },
    revokes: (id, by = 'payer') => {
      const reason = by === 'payer' ? 'REQUESTED_BY_PAYER_USER' : 'OTHER';
      end(authorizationOf(id, 'ACTIVE'), 'CANCELLED', reason);
    },
    schedules(debitId) {
      const instruction = instructionOf(debitId, 'AWAITING_REQUEST');
      const isTaken = instructions.some(
        ({ status, dueDate, authorization }) =>
          status === 'SCHEDULED' &&
          dueDate === instruction.dueDate &&
          authorization === instruction.authorization,
      );
      if (isTaken) {
        refuse(instruction, { code: 'PAYMENT_ALREADY_SCHEDULED' });
        return;
      }
      const day = instruction.dueDate.replaceAll('-', '');
      const endToEndIdentifier = `E12345678${day}0900${randomUUID().slice(0, 8)}${(instructions.length % 900) + 100}`;
      Object.assign(instruction, { status: 'SCHEDULED', endToEndIdentifier });
      tell(instruction, 'SCHEDULED');
    },
    declines(debitId, outcome) {
      if (outcome === 'paid') no('a debit is not paid before its day');
      refuse(instructionOf(debitId, 'AWAITING_REQUEST'), outcome);
    },
    callsOff(debitId) {
      const instruction = instructionOf(debitId, 'SCHEDULED');
      if (today() >= instruction.dueDate) no('a payer calls a debit off until the day before');
      cancel(instruction);
    },
    settles(debitId, outcome) {
      const instruction = instructionOf(debitId, 'SCHEDULED');
      const { charge, dueDate, endToEndIdentifier } = instruction;
      if (dueDate !== today()) no(`the debit of ${dueDate} is not settled on ${today()}`);
      if (outcome === 'paid' || outcome === 'already_paid') receive(charge, endToEndIdentifier);
      if (outcome === 'paid') Object.assign(instruction, { status: 'DONE', endedAt: ledger.now() });
      else refuse(instruction, outcome);
      if (charge.pix.length === 0) outbox.push(toldOfPayment(charge, 'PAYMENT_OVERDUE'));
    },
  };

  /** Whether a payment can still be changed; one that is to be debited cannot ("Processo de retentativas": the same amount). */
  const isDebited = (charge: EmulatedCharge): boolean => instructions.some((each) => each.charge === charge);

  /** A guess: Asaas documents no way to call off a debit, but for the end of its authorization. */
  function refusalOfRemoval(charge: EmulatedCharge): Reply | undefined {
    const live = instructions.find((each) => each.charge === charge && isLive(each));
    const isRefused = live !== undefined && isAfterCutOff(ledger.now(), live.dueDate);
    if (live) {
      const { authorization, dueDate: day } = live;
      journal.push({ act: 'cancel', recurrenceId: authorization.id, day, isAccepted: !isRefused });
    }
    return isRefused ? invalid('A cobrança não pode ser removida.') : undefined;
  }

  return { automatic, routes, refusalOfDebit, born, isDebited, refusalOfRemoval };
}
