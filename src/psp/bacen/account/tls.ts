import { createPrivateKey, X509Certificate } from 'node:crypto';
import { Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { z } from 'zod';
import { breaks, broken, type BrokenRule } from '../../../core/base/problems/rules.ts';
import type { ClientCertificate } from '../../../core/providers/rules/client-certificate.ts';
import type { TlsMaterial } from '../../../network/connector.ts';

/** Reads the text once: with one pattern for both ends, it would be read anew for each beginning. */
function hasBlock(text: string, label: string): boolean {
  const begin = text.search(new RegExp(`-----BEGIN ${label}-----`));
  return begin >= 0 && new RegExp(`-----END ${label}-----`).test(text.slice(begin));
}

const pem = (label: string) =>
  z
    .string('must be a string')
    .refine(
      (text) => hasBlock(text, label),
      breaks('must be in PEM, from -----BEGIN to -----END', broken('pem')),
    )
    .meta({ contentMediaType: 'application/x-pem-file' });

const certificate = pem('CERTIFICATE');

/** The settings that make up the TLS material. */
export const tlsFields = {
  certificate: certificate.optional(),
  privateKey: pem('[A-Z ]*PRIVATE KEY').meta({ writeOnly: true }).optional(),
  pkcs12: z.base64('must be Base64').min(1, 'must not be empty').meta({ writeOnly: true }).optional(),
  passphrase: z.string('must be a string').meta({ writeOnly: true }).optional(),
  ca: certificate.meta({ isAdvanced: true }).optional(),
};

type TlsSettings = z.output<z.ZodObject<typeof tlsFields>>;

/** The setting at fault. */
type Violation = [setting: keyof TlsSettings, message: string, rule: BrokenRule];

export const tlsOf = ({ pkcs12, ...plain }: TlsSettings): TlsMaterial => ({
  certificate: plain.certificate,
  privateKey: plain.privateKey,
  pkcs12: pkcs12 === undefined ? undefined : Buffer.from(pkcs12, 'base64'),
  passphrase: plain.passphrase,
  ca: plain.ca,
});

/** Finds out when the credential is stored what would otherwise show at the first handshake. */
export function tlsViolation(
  settings: TlsSettings,
  { isRequired }: { isRequired: boolean },
): Violation | undefined {
  const { certificate: own, privateKey, pkcs12 } = settings;
  if (pkcs12 && (own ?? privateKey)) {
    return ['pkcs12', 'must be omitted when certificate and privateKey are given', broken('not_allowed')];
  }
  if (!own !== !privateKey) {
    const [missing, other] = own
      ? (['privateKey', 'certificate'] as const)
      : (['certificate', 'privateKey'] as const);
    return [missing, 'must be given with the other half of the pair', broken('together_with', { other })];
  }
  if (!own && !pkcs12 && isRequired) {
    return [
      'certificate',
      'and privateKey, or pkcs12, must be given: the provider requires mutual TLS',
      broken('unless', { other: 'pkcs12' }),
    ];
  }
  const material = tlsOf(settings);
  if (material.ca && !readPem(material.ca)) return ['ca', incomplete, broken('unreadable_file')];
  return pkcs12 ? pkcs12Violation(material) : pairViolation(material);
}

const incomplete = 'cannot be read: it must be complete';

/** Undefined when OpenSSL cannot read it. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const validityOf = ({ validFrom, validTo }: X509Certificate): ClientCertificate | undefined => {
  const validity = { validFrom: new Date(validFrom), expiresAt: new Date(validTo) };
  return Object.values(validity).some((at) => Number.isNaN(at.getTime())) ? undefined : validity;
};

/** The first one, which is the client's own in a chain. */
const readPem = (text: string) =>
  attempt(() => {
    const read = new X509Certificate(text);
    return validityOf(read) && read;
  });

function pairViolation({ certificate: own, privateKey, passphrase }: TlsMaterial): Violation | undefined {
  if (own === undefined || privateKey === undefined) return undefined;
  const read = readPem(own);
  if (!read) return ['certificate', incomplete, broken('unreadable_file')];
  const key = attempt(() => createPrivateKey({ key: privateKey, passphrase }));
  if (!key)
    return ['privateKey', `${incomplete}, and passphrase must decrypt it`, broken('wrong_passphrase')];
  if (!read.checkPrivateKey(key))
    return ['privateKey', 'does not belong to certificate', broken('other_key')];
  return attempt(() => createSecureContext({ cert: own, key: privateKey, passphrase }))
    ? undefined
    : [
        'certificate',
        'cannot be used: its chain must be complete, and its key and signature strong enough',
        broken('weak_certificate'),
      ];
}

/** A PKCS #12 file is read by TLS alone: node:crypto has no function for it. */
function readPkcs12(secureContext: SecureContext): ClientCertificate | undefined {
  const socket = new TLSSocket(new Socket(), { secureContext });
  const read = socket.getX509Certificate();
  socket.destroy();
  return read && validityOf(read);
}

function pkcs12Violation({ pkcs12: pfx, passphrase }: TlsMaterial): Violation | undefined {
  try {
    const isRead = readPkcs12(createSecureContext({ pfx, passphrase }));
    return isRead ? undefined : ['pkcs12', incomplete, broken('unreadable_file')];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_CRYPTO_UNSUPPORTED_OPERATION') {
      return [
        'pkcs12',
        'uses an outdated encryption, such as RC2: convert it with openssl pkcs12 -legacy -in old.pfx -nodes -out pix.pem, then openssl pkcs12 -export -in pix.pem -out pix.p12',
        broken('outdated_encryption'),
      ];
    }
    if (message === 'mac verify failure')
      return ['passphrase', 'must be the one that opens pkcs12', broken('wrong_passphrase')];
    return ['pkcs12', `${incomplete}, with certificate and key`, broken('unreadable_file')];
  }
}

/** Expects valid settings. */
export function clientCertificateOf({
  certificate: own,
  pkcs12: pfx,
  passphrase,
}: TlsMaterial): ClientCertificate | undefined {
  if (own !== undefined) return validityOf(new X509Certificate(own));
  return pfx && readPkcs12(createSecureContext({ pfx, passphrase }));
}
