import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import type { RawNotification } from '../../domain/providers/psp.ts';
import { readAnswer } from '../kit/answer.ts';
import { refusal } from '../http/http-client.ts';
import { notifiedCharge, readNotification } from '../kit/notification.ts';
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
const fetchTimeoutMs = 5_000;

interface FetchedKeys {
  keys: readonly KeyObject[];
  at: number;
}

/** Keys by origin. An invalid signature triggers a new fetch, at most once a minute. */
const fetched = new Map<string, FetchedKeys>();

const keyList = z.object({ public_keys: z.array(z.object({ key: z.string() })) });

async function fetchKeys({ baseUrl }: WooviSettings, { http, now }: PspTools): Promise<readonly KeyObject[]> {
  const known = fetched.get(baseUrl);
  const at = now().getTime();
  if (known && at - known.at < refetchAfterMs) return known.keys;
  const url = `${baseUrl}/api/v1/webhook/public-keys`;
  const signal = AbortSignal.timeout(fetchTimeoutMs);
  const response = await http().request({ method: 'GET', url, signal });
  if (response.status >= 400) throw refusal(response);
  const keys = readAnswer(keyList, response.json).public_keys.flatMap(({ key }) => publicKeyOf(key));
  fetched.set(baseUrl, { keys, at });
  return keys;
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

const body = z.object({
  event: z.string().nullish(),
  evento: z.string().nullish(),
  charge: z.object({ correlationID: z.string(), transactionID: z.string().nullish() }).nullish(),
});

function isPing(raw: RawNotification): boolean {
  try {
    const { event, evento, charge } = readNotification(body, raw);
    return !charge && (!event || evento === 'teste_webhook');
  } catch {
    return false;
  }
}

export const wooviNotifications: PspNotifications<WooviSettings> = {
  async verify(raw, settings, tools) {
    // Sent when the webhook is registered, perhaps unsigned: anything but 200 would cancel the registration.
    if (isPing(raw)) return true;
    const signature = Buffer.from(raw.headers['x-webhook-signature'] ?? '', 'base64');
    if (signature.length === 0) return false;
    const builtIn = settings.baseUrl === productionUrl ? [productionKey] : [];
    const known = [...builtIn, ...(fetched.get(settings.baseUrl)?.keys ?? [])];
    if (isSignedBy(known, raw.body, signature)) return true;
    return isSignedBy(await fetchKeys(settings, tools), raw.body, signature);
  },

  charges(raw) {
    const { charge } = readNotification(body, raw);
    return notifiedCharge(charge?.correlationID, charge?.transactionID);
  },
};
