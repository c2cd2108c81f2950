import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate with its key, as PEM. */
export interface Certificate {
  certificate: string;
  privateKey: string;
}

interface Validity {
  from: Date;
  until: Date;
}

export interface Authority extends Certificate {
  /** For a server on loopback and for a client alike; from yesterday for a year, unless told otherwise. */
  issue(commonName: string, validity?: Validity): Certificate;
}

const dayMs = 86_400_000;

const tlv = (tag: number, ...contents: Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(content.length.toString(16).padStart(4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x82]), length, content]);
};

const sequence = (...contents: Uint8Array[]) => tlv(0x30, ...contents);
const objectId = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'));
const isTrue = tlv(0x01, Buffer.from([0xff]));
const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));

const nameOf = (commonName: string) =>
  sequence(tlv(0x31, sequence(objectId('550403'), tlv(0x0c, Buffer.from(commonName)))));

/** UTCTime, good until 2049. */
const time = (at: Date) => tlv(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

const extension = (id: string, value: Buffer, isCritical = false) =>
  sequence(objectId(id), ...(isCritical ? [isTrue] : []), tlv(0x04, value));

interface Contents {
  subject: string;
  publicKey: KeyObject;
  issuer: string;
  issuerKey: KeyObject;
  authorityId: Buffer;
  isAuthority: boolean;
  validity: Validity;
}

/** X.509 version 3, by RFC 5280. */
function certificateOf({
  subject,
  publicKey,
  issuer,
  issuerKey,
  authorityId,
  isAuthority,
  validity,
}: Contents): string {
  const extensions = [
    extension('551d13', sequence(...(isAuthority ? [isTrue] : [])), true),
    extension('551d23', sequence(tlv(0x80, authorityId))),
    isAuthority
      ? extension('551d0e', tlv(0x04, authorityId))
      : extension(
          '551d11',
          sequence(tlv(0x82, Buffer.from('localhost')), tlv(0x87, Buffer.from([127, 0, 0, 1]))),
        ),
  ];
  const signed = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(validity.from), time(validity.until)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...extensions)),
  );
  const signature = tlv(0x03, Buffer.from([0]), sign('sha256', signed, issuerKey));
  const base64 = sequence(signed, ecdsaWithSha256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

const usualValidity = (): Validity => ({
  from: new Date(Date.now() - dayMs),
  until: new Date(Date.now() + 365 * dayMs),
});

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** A certificate authority of the test's own. */
export function createAuthority(commonName: string): Authority {
  const own = newKeys();
  const authorityId = createHash('sha1')
    .update(own.publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
  const issuedTo = (
    subject: string,
    publicKey: KeyObject,
    { isAuthority = false, validity = usualValidity() },
  ) =>
    certificateOf({
      subject,
      publicKey,
      issuer: commonName,
      issuerKey: own.privateKey,
      authorityId,
      isAuthority,
      validity,
    });
  return {
    certificate: issuedTo(commonName, own.publicKey, { isAuthority: true }),
    privateKey: pemOf(own.privateKey),
    issue(subject, validity = usualValidity()) {
      const { publicKey, privateKey } = newKeys();
      return { certificate: issuedTo(subject, publicKey, { validity }), privateKey: pemOf(privateKey) };
    },
  };
}
