/** A setting of a client certificate is left out where no file has it. */
export interface CertificateSettings {
  certificate?: string;
  privateKey?: string;
  /** The file is binary, so this is Base64. */
  pkcs12?: string;
}

export const certificateNames = ['certificate', 'privateKey', 'pkcs12', 'passphrase'] as const;

const blocks = (text: string, kind: RegExp): string[] => text.match(kind) ?? [];

const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** Reads a PKCS #12 file, or one or two files in PEM. Any other file is taken for PKCS #12: the service says what is wrong. */
export async function readCertificateFiles(files: readonly Blob[]): Promise<CertificateSettings> {
  const contents = await Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer())));
  const texts = contents.map((bytes) => new TextDecoder().decode(bytes));
  const pem = texts.filter((text) => text.includes('-----BEGIN ')).join('\n');
  const binary = contents.find((_, place) => !texts[place]?.includes('-----BEGIN '));
  if (!pem) return binary ? { pkcs12: base64Of(binary) } : {};
  const certificates = blocks(pem, /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g);
  const [privateKey] = blocks(
    pem,
    /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[^]+?-----END (?:[A-Z]+ )*PRIVATE KEY-----/g,
  );
  return {
    ...(certificates.length > 0 && { certificate: `${certificates.join('\n')}\n` }),
    ...(privateKey && { privateKey: `${privateKey}\n` }),
  };
}

/** A passphrase may be needed. */
export const mayBeLocked = ({ privateKey, pkcs12 }: CertificateSettings): boolean =>
  pkcs12 !== undefined || /ENCRYPTED/.test(privateKey ?? '');
