import type { AnswerSupport } from '../../core/disputes/rules/dispute.ts';
import {
  type Charge,
  type ChargeIds,
  type ChargeKind,
  type ChargeRequest,
  kindOf,
} from '../../core/providers/rules/charge.ts';
import { type PspAdapter, type PspCapabilities } from '../../core/providers/rules/psp.ts';
import { allTerms } from '../../core/providers/rules/due-support.ts';
import { PspError, throwUnknownOutcome } from '../../core/providers/rules/psp-error.ts';
import { requestedCharge } from '../kit/trusted-charge.ts';
import { notifiedCharge } from '../kit/notification.ts';
import { heldExpirySeconds, type PspProvider, type PspTools } from '../kit/provider.ts';
import { requestedRefund } from '../kit/reported-refund.ts';
import { afterPage, progressOf, splitUnreadable } from '../kit/response.ts';
import { throwWebhookRefusal } from '../kit/webhook.ts';
import { bacenAbout } from './account/about.ts';
import { openBacenSession } from './account/session.ts';
import { type CobName, createBacenClient, webhookOfKey } from './client.ts';
import { cobrRequestOf, paidIdsOf } from './debits.ts';
import {
  cobRequestOf,
  isCodeOfKey,
  readCob,
  refundBodyOf,
  refundOf,
  revisionOf,
  statementPixOf,
} from './mapping.ts';
import { type Cob, listedPix, receivedPix, receivedPixPage, statementPage } from './wire-format.ts';
import { infractionsOf } from './infractions.ts';
import { createRecurrenceClient } from './recurrence-client.ts';
import { authorizations } from '../../core/recurrences/rules/recurrence.ts';
import { receivingAccountOf, recurrencesOf } from './recurrences.ts';
import { bacenNotifications } from './notifications.ts';
import { bacenPresetSettings } from './account/preset-settings.ts';
import { type BacenSettings, bacenSettings } from './account/settings.ts';
import { clientCertificateOf } from './account/tls.ts';

const capabilities: PspCapabilities = {
  needsPayer: [],
  // The standard has no maximum; this is the longest that we request.
  expiryMinutes: { minimum: 1, maximum: 43_200 },
  cancel: 'unpaid',
  refund: 'partial',
  refundIdRetentionHours: Infinity,
  webhookRegistration: 'api',
  due: allTerms,
  recurrences: authorizations,
};

/** Few banks are known to have recurrences; a credential for another has them once it says which account receives them. */
function capabilitiesOf(settings: BacenSettings): PspCapabilities {
  const { recurrences, ...others } = capabilities;
  return {
    ...others,
    ...((settings.preset.hasRecurrences || settings.recurrenceAccount) && { recurrences }),
    ...(hasInfractions(settings) && { answers }),
    disputePanel: settings.preset.panel,
  };
}

const answers: AnswerSupport = { documents: 'none', acceptance: true };

/** "Funcionalidade desabilitada em ambiente de homologação" (dev.efipay.com.br, "Endpoints exclusivos Efí"). */
const hasInfractions = ({ preset, baseUrl }: BacenSettings): boolean =>
  preset.hasInfractions === true && new URL(baseUrl).hostname !== 'pix-h.api.efipay.com.br';

/** How long after its expiry, by our clock, a charge that is still ATIVA may turn out to be paid. */
const latestPixMs = 60_000;

type OurId = Pick<ChargeIds, 'transactionId' | 'kind'>;

/** Never inferred: the same txid may be a charge of either kind (issue 739 of kmee/l10n-brazil). */
const nameOf = ({ transactionId: txid, kind = 'immediate' }: OurId): CobName => ({ txid, kind });

function connect(settings: BacenSettings, tools: PspTools): PspAdapter {
  const session = openBacenSession(settings, tools);
  const client = createBacenClient(session, settings);
  const { now, logger } = tools;

  function read(cob: Cob, ids: OurId): Charge {
    const { charge, mismatches, setAside } = readCob(cob, ids, settings);
    const about = { provider: 'bacen', transactionId: ids.transactionId };
    if (mismatches.length > 0)
      logger?.error({ ...about, mismatches }, 'the charge does not match the request');
    else if (setAside.length > 0)
      logger?.error({ ...about, setAside }, 'the charge lists a Pix that is not its own');
    return charge;
  }

  /** A debit that is paid may not list its Pix, which tells amount and time. */
  async function readDebit(cobr: Cob, ids: OurId, signal: AbortSignal): Promise<Charge> {
    const isMissing = cobr.status === 'CONCLUIDA' && cobr.pix.read.length === 0;
    const paidIds = isMissing ? paidIdsOf(cobr) : [];
    const found = await Promise.all(paidIds.map((id) => client.findPix(receivedPix, id, signal)));
    const listed = [...cobr.pix.read, ...found.flatMap((pix) => pix ?? [])];
    return read({ ...cobr, pix: { ...cobr.pix, read: listed } }, ids);
  }

  const readAny = (cob: Cob, ids: OurId, signal: AbortSignal): Charge | Promise<Charge> =>
    ids.kind === 'recurring' ? readDebit(cob, ids, signal) : read(cob, ids);

  async function createDebit(
    request: ChargeRequest,
    debit: NonNullable<ChargeRequest['debit']>,
    signal: AbortSignal,
  ): Promise<Charge> {
    const ids = { transactionId: request.transactionId, kind: 'recurring' } as const;
    const body = cobrRequestOf(request, debit, receivingAccountOf(settings));
    const cobr = await client.createCob(nameOf(ids), body, signal);
    if (cobr.idRec !== undefined && cobr.idRec !== debit.recurrence)
      throw new PspError('unknown', 'the provider returned a debit of another recurrence');
    const charge = await readDebit(cobr, ids, signal).catch(throwUnknownOutcome);
    return requestedCharge(charge, request, logger);
  }

  async function createCharge(request: ChargeRequest, signal: AbortSignal): Promise<Charge> {
    if (request.debit) return createDebit(request, request.debit, signal);
    const { transactionId, expiresAt } = request;
    const ids = { transactionId, kind: kindOf(request) };
    const expirySeconds = heldExpirySeconds(capabilities, expiresAt, now());
    const body = cobRequestOf(request, settings.pixKey, expirySeconds);
    const charge = read(await client.createCob(nameOf(ids), body, signal), ids);
    // A static code is paid to the key that it states, whatever the charge says.
    if (charge.pixCopyPaste !== null && !isCodeOfKey(charge.pixCopyPaste, settings))
      throw new PspError('unknown', 'the provider returned a code of another Pix key');
    return requestedCharge(charge, request, logger);
  }

  const recurrences: Pick<
    PspAdapter,
    'createRecurrence' | 'findRecurrence' | 'cancelRecurrence' | 'retryDebit'
  > = {
    ...recurrencesOf({
      client: createRecurrenceClient(session, settings.preset, now),
      settings,
      createCharge,
      logger,
    }),

    async retryDebit({ transactionId }, on, signal) {
      const ids = { transactionId, kind: 'recurring' } as const;
      const { cobr, refused } = await client.retryCobr(transactionId, on, signal);
      const charge = await readDebit(cobr, ids, signal);
      // The same again is refused, because the bank has it.
      if (refused && !charge.attempts?.some((attempt) => attempt.on === on)) throw refused;
      return charge;
    },
  };

  /** The webhooks of recurrences hold for the account. */
  const webhookPaths = [
    webhookOfKey(settings.pixKey),
    ...(settings.recurrenceAccount ? (['/webhookrec', '/webhookcobr'] as const) : []),
  ];

  const kinds: readonly ChargeKind[] = [
    'immediate',
    'due',
    ...(settings.recurrenceAccount ? (['recurring'] as const) : []),
  ];

  const own = capabilitiesOf(settings);
  return {
    capabilities: own,
    ...(own.recurrences && recurrences),
    ...(own.answers && infractionsOf({ session, preset: settings.preset, now, logger })),
    createCharge,

    async findCharge(ids, signal) {
      const cob = await client.findCob(nameOf(ids), signal);
      return cob && readAny(cob, ids, signal);
    },

    async reviseCharge(request, signal) {
      const ids = { transactionId: request.transactionId, kind: 'due' } as const;
      const charge = read(await client.reviseCob(nameOf(ids), revisionOf(request), signal), ids);
      if (charge.status !== 'active') throw new PspError('rejected', 'the charge has ended');
      if (charge.amountInCents !== request.amountInCents)
        throw new PspError('unknown', 'the provider returned a charge that was not changed');
      const isOurs = charge.pixCopyPaste !== null && isCodeOfKey(charge.pixCopyPaste, settings);
      return isOurs ? charge : { ...charge, pixCopyPaste: null };
    },

    async cancelCharge(ids, signal) {
      const charge = await readAny(await client.cancelCob(nameOf(ids), signal), ids, signal);
      if (charge.status !== 'active') return charge;
      // Some PSPs do not cancel expired charges.
      const hasExpired = charge.expiresAt && charge.expiresAt.getTime() + latestPixMs <= now().getTime();
      if (hasExpired) return { ...charge, status: 'expired' };
      throw new PspError('rejected', 'the provider did not cancel the charge');
    },

    async refundCharge(request, signal) {
      const refund = await client.createDevolucao(request, refundBodyOf(request), signal);
      return requestedRefund(refundOf(refund), request);
    },

    async findRefund(request, signal) {
      const refund = await client.findDevolucao(request, signal);
      return refund && requestedRefund(refundOf(refund), request);
    },

    async listReceived({ since, until }, cursor, signal) {
      const page = Number(cursor ?? 0);
      const query = { inicio: since, fim: until, page };
      const { pix, pageCount } = await client.listPix(receivedPixPage, query, signal);
      return {
        charges: pix.flatMap(({ txid }) => notifiedCharge(txid, null)),
        pix: pix.flatMap(({ read }) => (read ? statementPixOf(read) : [])),
        nextCursor: page + 1 < pageCount ? String(page + 1) : null,
        bookmark: null,
      };
    },

    async findPix(endToEndId, signal) {
      const pix = await client.findPix(listedPix, endToEndId, signal);
      if (pix && pix.endToEndId !== endToEndId)
        throw new PspError('unknown', 'the provider returned another Pix');
      return pix && statementPixOf(pix);
    },

    async listStatement({ since, until }, cursor, signal) {
      const progress = progressOf(cursor);
      const query = { inicio: since, fim: until, page: progress.at };
      const { pix, pageCount, total } = await client.listPix(statementPage, query, signal);
      const nextAt = progress.at + 1 < pageCount ? progress.at + 1 : null;
      const { read, unreadable } = splitUnreadable(pix);
      return {
        pix: read.map(statementPixOf),
        unreadable,
        ...afterPage(progress, { itemCount: pix.length, total, nextAt }),
      };
    },

    // Each kind comes after the one before it.
    async listCharges({ since: inicio, until: fim }, cursor, signal) {
      const [given, at = '0'] = cursor?.split(' ') ?? [];
      const [kind, page] = [kinds.find((each) => each === given) ?? 'immediate', Number(at)];
      const { cobs, pageCount } = await client.listCobs({ inicio, fim, page, kind }, signal);
      const charges = cobs.flatMap(({ txid }) => notifiedCharge(txid, null));
      const next = kinds[kinds.indexOf(kind) + 1];
      return {
        charges: kind === 'immediate' ? charges : charges.map((charge) => ({ ...charge, kind })),
        nextCursor: page + 1 < pageCount ? `${kind} ${page + 1}` : next ? `${next} 0` : null,
      };
    },

    signIn: (signal) => client.signIn(signal),

    async findWebhook(_notificationUrl, signal) {
      const [url, ...others] = await Promise.all(
        webhookPaths.map((path) => client.findWebhook(path, signal)),
      );
      if (url === undefined) return undefined;
      return { url, state: others.every((other) => other === url) ? 'active' : 'incomplete' };
    },

    async registerWebhook(notificationUrl, signal) {
      for (const path of webhookPaths)
        await client.putWebhook(path, notificationUrl, signal).catch(throwWebhookRefusal);
    },
  };
}

/** Any PSP that follows the Banco Central's API Pix (2.9.0). */
export const bacen: PspProvider<BacenSettings> = {
  name: 'bacen',
  about: bacenAbout,
  capabilities,
  capabilitiesOf,
  quotaOf: ({ requestsPerMinute: requests }) =>
    requests === undefined ? undefined : { requests, windowSeconds: 60 },
  certificateOf: ({ tls }) => clientCertificateOf(tls),
  settingsSchema: bacenSettings,
  presetSettings: bacenPresetSettings,
  connect,
  notifications: bacenNotifications,
};
