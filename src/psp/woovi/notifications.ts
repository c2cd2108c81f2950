import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import { setBounded } from '../../core/base/pacing/bounded-map.ts';
import type { NotifiedCharge } from '../../core/providers/rules/charge.ts';
import type { RawNotification } from '../../core/providers/rules/psp.ts';
import { readResponse } from '../kit/response.ts';
import { refusal } from '../http/http-client.ts';
import { notifiedCharge, notifiedPix, readNotification } from '../kit/notification.ts';
import type { PspNotifications, PspTools } from '../kit/provider.ts';
import { productionUrl, type WooviSettings } from './settings.ts';

/** Woovi's published production key; its sandbox signs with another one. */
const productionKey = createPublicKey(`-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC/+NtIkjzevvqD+I3MMv3bLXDt
pvxBjY4BsRrSdca3rtAwMcRYYvxSnd7jagVLpctMiOxQO8ieUCKLSWHpsMAjO/zZ
WMKbqoG8MNpi/u3fp6zz0mcHCOSqYsPUUG19buW8bis5ZZ2IZgBObWSpTvJ0cnj6
HKBAA82Jln+lGwS1MwIDAQAB
-----END PUBLIC KEY-----`);

const refetchAfterMs = 60_000;
/** Shorter after a failure, so that genuine notifications do not have to wait. */
const retryAfterMs = 10_000;
const fetchTimeoutMs = 5_000;

interface FetchedKeys {
  /** The keys that are known by now. */
  keys: readonly KeyObject[];
  /** The latest fetch, whose result all notifications share until the next one. */
  latest: Promise<readonly KeyObject[]>;
  nextFetchAtMs: number;
}

/** More than there are of Woovi; each test server of a credential is another. */
const maximumOrigins = 100;

/** Keys by origin. Anyone who knows the URL can make us fetch them, so invalid signatures do so once a minute at most. */
const fetched = new Map<string, FetchedKeys>();

const keyList = z.object({ public_keys: z.array(z.object({ key: z.string() })) });

async function requestKeys({ baseUrl }: WooviSettings, { http }: PspTools): Promise<readonly KeyObject[]> {
  const url = `${baseUrl}/api/v1/webhook/public-keys`;
  const signal = AbortSignal.timeout(fetchTimeoutMs);
  const response = await http().request({ method: 'GET', url, signal });
  if (response.status >= 400) throw refusal(response);
  return readResponse(keyList, response.json).public_keys.flatMap(({ key }) => publicKeyOf(key));
}

async function fetchKeys(settings: WooviSettings, tools: PspTools): Promise<readonly KeyObject[]> {
  const { baseUrl } = settings;
  const known = fetched.get(baseUrl);
  const atMs = tools.now().getTime();
  if (known && atMs < known.nextFetchAtMs) return known.latest;
  const latest = requestKeys(settings, tools);
  const fetching = { keys: known?.keys ?? [], latest, nextFetchAtMs: atMs + refetchAfterMs };
  setBounded(fetched, baseUrl, fetching, maximumOrigins);
  try {
    return (fetching.keys = await latest);
  } catch (error) {
    fetching.nextFetchAtMs = atMs + retryAfterMs;
    throw error;
  }
}

function publicKeyOf(pem: string): KeyObject[] {
  try {
    return [createPublicKey(pem)];
  } catch {
    return [];
  }
}

const isSignedBy = (keys: readonly KeyObject[], body: Buffer, signature: Buffer): boolean =>
  keys.some((key) => verify('RSA-SHA256', body, key, signature));

const ofPix = z.object({ endToEndId: z.string() });

/** Tells of every Pix, and those of charges are told of apart. */
const pixEvent = 'OPENPIX:TRANSACTION_RECEIVED';

/**
 * Notifications of refunds and disputes name only the Pix (woovibr/woovi-developers, docs/webhook/examples). Those of Pix Automático are
 * a subscription, or an installment of one, with our id of the subscription (docs/pix-automatic/5-webhooks).
 */
const body = z.object({
  charge: z.object({ correlationID: z.string(), transactionID: z.string().nullish() }).nullish(),
  event: z.string().nullish().catch(undefined),
  pix: ofPix
    .extend({ charge: z.object({}).nullish() })
    .nullish()
    .catch(undefined),
  originalTransaction: ofPix.nullish(),
  dispute: ofPix.nullish(),
  globalID: z.string().nullish(),
  correlationID: z.string().nullish(),
  paymentSubscriptionGlobalID: z.string().nullish(),
  installmentNumber: z.int().nullish().catch(undefined),
});

type Body = z.output<typeof body>;

/** Our id of a subscription whose first installment is a charge of ours is that of the charge. */
function recurrencesIn({
  globalID,
  correlationID,
  paymentSubscriptionGlobalID,
  installmentNumber,
}: Body): NotifiedCharge[] {
  if (!globalID) return [];
  const first = notifiedCharge(correlationID, null);
  if (!paymentSubscriptionGlobalID)
    return [{ transactionId: null, reference: null, recurrence: globalID }, ...first];
  return installmentNumber === 1 && first.length > 0 ? first : notifiedCharge(null, globalID);
}

function chargesIn(raw: RawNotification): NotifiedCharge[] {
  const read = readNotification(body, raw);
  const { charge, pix, originalTransaction, dispute } = read;
  if (read.event === pixEvent && (charge ?? pix?.charge)) return [];
  if (charge) return notifiedPix(pix?.endToEndId, notifiedCharge(charge.correlationID, charge.transactionID));
  const named = notifiedCharge(null, (dispute ?? originalTransaction)?.endToEndId);
  if (named.length > 0) return named;
  const recurring = recurrencesIn(read);
  return recurring.length > 0 ? recurring : notifiedPix(pix?.endToEndId, []);
}

/** Whether it is readable and about nothing: `{"data_criacao", "event"}`, `{"evento": "teste_webhook"}` or `{}`. */
function isPing(raw: RawNotification): boolean {
  try {
    const { charge, pix, originalTransaction, dispute, globalID } = readNotification(body, raw);
    return !charge && !pix && !originalTransaction && !dispute && !globalID;
  } catch {
    return false;
  }
}

export const wooviNotifications: PspNotifications<WooviSettings> = {
  async verify(raw, settings, tools) {
    // Woovi sends a ping, perhaps unsigned, when the webhook is registered; anything but 200 would cancel the registration. The
    // URL has proved that it is ours, and there is nothing to look up.
    if (isPing(raw)) return true;
    const signature = Buffer.from(raw.headers['x-webhook-signature'] ?? '', 'base64');
    if (signature.length === 0) return false;
    const builtIn = settings.baseUrl === productionUrl ? [productionKey] : [];
    const known = [...builtIn, ...(fetched.get(settings.baseUrl)?.keys ?? [])];
    if (isSignedBy(known, raw.body, signature)) return true;
    return isSignedBy(await fetchKeys(settings, tools), raw.body, signature);
  },

  charges: chargesIn,
};
