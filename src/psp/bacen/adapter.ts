import {
  type Charge,
  type ChargeIds,
  kindOf,
  type PspAdapter,
  type PspCapabilities,
} from '../../core/providers/rules/psp.ts';
import { allTerms } from '../../core/providers/rules/due-support.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { requestedCharge } from '../kit/trusted-charge.ts';
import { notifiedCharge } from '../kit/notification.ts';
import { heldExpirySeconds, type PspProvider, type PspTools } from '../kit/provider.ts';
import { requestedRefund } from '../kit/reported-refund.ts';
import { afterPage, progressOf, splitUnreadable } from '../kit/response.ts';
import { throwWebhookRefusal } from '../kit/webhook.ts';
import { bacenAbout } from './account/about.ts';
import { type CobName, createBacenClient } from './client.ts';
import { amountOf } from './due.ts';
import { cobRequestOf, isCodeOfKey, readCob, refundOf, revisionOf, statementPixOf } from './mapping.ts';
import { type Cob, receivedPixPage, statementPage } from './wire-format.ts';
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
};

/** How long after its expiry, by our clock, a charge that is still ATIVA may turn out to be paid. */
const latestPixMs = 60_000;

type OurId = Pick<ChargeIds, 'transactionId' | 'kind'>;

/** Never inferred: the same txid may be a charge of either kind (issue 739 of kmee/l10n-brazil). */
const nameOf = ({ transactionId: txid, kind = 'immediate' }: OurId): CobName => ({ txid, kind });

function connect(settings: BacenSettings, tools: PspTools): PspAdapter {
  const client = createBacenClient(settings, tools);
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

  return {
    capabilities,

    async createCharge(request, signal) {
      const { transactionId, expiresAt } = request;
      const ids = { transactionId, kind: kindOf(request) };
      const expirySeconds = heldExpirySeconds(capabilities, expiresAt, now());
      const body = cobRequestOf(request, settings.pixKey, expirySeconds);
      const charge = read(await client.createCob(nameOf(ids), body, signal), ids);
      // A static code is paid to the key that it states, whatever the charge says.
      if (charge.pixCopyPaste !== null && !isCodeOfKey(charge.pixCopyPaste, settings))
        throw new PspError('unknown', 'the provider returned a code of another Pix key');
      return requestedCharge(charge, request, logger);
    },

    async findCharge(ids, signal) {
      const cob = await client.findCob(nameOf(ids), signal);
      return cob && read(cob, ids);
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
      const charge = read(await client.cancelCob(nameOf(ids), signal), ids);
      if (charge.status !== 'active') return charge;
      // Some PSPs do not cancel expired charges.
      const hasExpired = charge.expiresAt && charge.expiresAt.getTime() + latestPixMs <= now().getTime();
      if (hasExpired) return { ...charge, status: 'expired' };
      throw new PspError('rejected', 'the provider did not cancel the charge');
    },

    async refundCharge(request, signal) {
      const refund = await client.createDevolucao(request, amountOf(request.amountInCents), signal);
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
      const charges = pix.flatMap(({ txid }) => notifiedCharge(txid, null));
      return { charges, nextCursor: page + 1 < pageCount ? String(page + 1) : null, bookmark: null };
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

    // Those with a due date come after the others.
    async listCharges({ since: inicio, until: fim }, cursor, signal) {
      const [path = 'cob', at = '0'] = cursor?.split(' ') ?? [];
      const [kind, page] = [path === 'cobv' ? 'due' : 'immediate', Number(at)] as const;
      const { cobs, pageCount } = await client.listCobs({ inicio, fim, page, kind }, signal);
      const charges = cobs.flatMap(({ txid }) => notifiedCharge(txid, null));
      const next = page + 1 < pageCount ? `${path} ${page + 1}` : null;
      return {
        charges: kind === 'due' ? charges.map((charge) => ({ ...charge, kind })) : charges,
        nextCursor: next ?? (kind === 'due' ? null : 'cobv 0'),
      };
    },

    signIn: (signal) => client.signIn(signal),

    async findWebhook(_notificationUrl, signal) {
      const url = await client.findWebhook(settings.pixKey, signal);
      return url === undefined ? undefined : { url, state: 'active' };
    },

    async registerWebhook(notificationUrl, signal) {
      await client.putWebhook(settings.pixKey, notificationUrl, signal).catch(throwWebhookRefusal);
    },
  };
}

/** Any PSP that follows the Banco Central's API Pix (2.9.0). */
export const bacen: PspProvider<BacenSettings> = {
  name: 'bacen',
  about: bacenAbout,
  capabilities,
  quotaOf: ({ requestsPerMinute: requests }) =>
    requests === undefined ? undefined : { requests, windowSeconds: 60 },
  certificateOf: ({ tls }) => clientCertificateOf(tls),
  settingsSchema: bacenSettings,
  presetSettings: bacenPresetSettings,
  connect,
  notifications: bacenNotifications,
};
