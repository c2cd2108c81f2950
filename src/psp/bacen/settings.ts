import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import type { TlsMaterial } from '../../network/connector.ts';
import { apiUrl, secretText } from '../kit/settings.ts';
import { type BacenPreset, presets, standard } from './presets.ts';

export interface BacenSettings {
  baseUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  pixKey: string;
  merchantName: string;
  merchantCity: string;
  tls: TlsMaterial;
  preset: BacenPreset;
  notificationAuth: 'mtls' | 'urlToken';
}

const presetNames = Object.keys(presets) as (keyof typeof presets)[];

const text = (maximumLength: number) =>
  z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .max(maximumLength, `must be at most ${maximumLength} characters`);

const pem = (kind: RegExp) =>
  z
    .string('must be a string')
    .regex(kind, 'must be in PEM, from -----BEGIN to -----END')
    .meta({ contentMediaType: 'application/x-pem-file' });

const written = z.strictObject(
  {
    /** Including the version: charges are at `{baseUrl}/cob/{txid}`. */
    baseUrl: apiUrl.optional(),
    tokenUrl: apiUrl.optional(),
    clientId: secretText.regex(/^[^:]*$/, 'must have no colon'),
    clientSecret: secretText,
    /** Charges of another key are not treated as ours. */
    pixKey: text(77).meta({ isFixed: true }),
    merchantName: text(200),
    merchantCity: text(200),
    certificate: pem(/-----BEGIN CERTIFICATE-----[^]+-----END CERTIFICATE-----/).optional(),
    privateKey: pem(/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]+-----END [A-Z ]*PRIVATE KEY-----/)
      .meta({ writeOnly: true })
      .optional(),
    pkcs12: z.base64('must be Base64').min(1, 'must not be empty').meta({ writeOnly: true }).optional(),
    passphrase: z.string('must be a string').meta({ writeOnly: true }).optional(),
    ca: pem(/-----BEGIN CERTIFICATE-----[^]+-----END CERTIFICATE-----/).optional(),
    preset: z.enum(presetNames, `must be one of ${presetNames.join(', ')}`).optional(),
    /** `urlToken` for PSPs without a client certificate: anyone who knows the URL may notify. */
    notificationAuth: z.enum(['mtls', 'urlToken'], 'must be mtls or urlToken').default('mtls'),
  },
  'must be an object',
);

export type BacenSettingName = keyof z.input<typeof written>;

export const bacenSettings: z.ZodType<BacenSettings> = written.transform((given, context): BacenSettings => {
  const refuse = (member: string, message: string) => {
    context.addIssue({ code: 'custom', path: [member], message });
    return z.NEVER;
  };
  const { certificate, privateKey, pkcs12, passphrase, ca, ...plain } = given;
  const preset: BacenPreset = given.preset ? presets[given.preset] : standard;
  const baseUrl = given.baseUrl ?? preset.baseUrl;
  if (!baseUrl) return refuse('baseUrl', 'must be given unless the preset has one');
  if (pkcs12 && (certificate ?? privateKey)) {
    return refuse('pkcs12', 'must be omitted when certificate and privateKey are given');
  }
  if (!certificate !== !privateKey) {
    return refuse(
      certificate ? 'privateKey' : 'certificate',
      'must be given with the other half of the pair',
    );
  }
  // Plain http is limited to this machine, where an emulator needs no certificate.
  if (!certificate && !pkcs12 && baseUrl.startsWith('https:')) {
    return refuse(
      'certificate',
      'and privateKey, or pkcs12, must be given: the provider requires mutual TLS',
    );
  }
  const pfx = pkcs12 === undefined ? undefined : Buffer.from(pkcs12, 'base64');
  const tls: TlsMaterial = { certificate, privateKey, pkcs12: pfx, passphrase, ca };
  const violation = tlsViolation(tls);
  if (violation) return refuse(pkcs12 ? 'pkcs12' : 'certificate', violation);
  const tokenUrl = given.tokenUrl ?? `${new URL(baseUrl).origin}/oauth/token`;
  return { ...plain, baseUrl, tokenUrl, tls, preset };
});

/** Reported when the credential is stored rather than by a failing handshake. */
function tlsViolation({ certificate, privateKey, pkcs12, passphrase, ca }: TlsMaterial): string | undefined {
  try {
    createSecureContext({ cert: certificate, key: privateKey, pfx: pkcs12, passphrase, ca });
    return undefined;
  } catch (error) {
    if (!pkcs12) {
      return 'cannot be used: it must be complete and match privateKey, and passphrase must decrypt the key';
    }
    return (error as { code?: unknown }).code === 'ERR_CRYPTO_UNSUPPORTED_OPERATION'
      ? 'uses an outdated encryption: export it again with a current program'
      : 'cannot be read: it must be complete, and passphrase must decrypt it';
  }
}
