import { randomUUID } from 'node:crypto';

interface FilePart {
  name: string;
  fileName: string;
  mediaType: string;
  content: Buffer;
}

/** As browsers escape names (WHATWG HTML, "multipart/form-data encoding algorithm"). */
const quoted = (text: string): string =>
  `"${text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')}"`;

/** A form with files, as the body of a request. */
export class Multipart {
  readonly contentType: string;
  readonly bytes: Buffer;

  constructor(files: readonly FilePart[], fields: Readonly<Record<string, string>> = {}) {
    const boundary = `form-${randomUUID()}`;
    const part = (head: string, content: Buffer | string): Buffer[] => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ];
    this.contentType = `multipart/form-data; boundary=${boundary}`;
    this.bytes = Buffer.concat([
      ...Object.entries(fields).flatMap(([name, value]) => part(`name=${quoted(name)}`, value)),
      ...files.flatMap(({ name, fileName, mediaType, content }) =>
        part(`name=${quoted(name)}; filename=${quoted(fileName)}\r\nContent-Type: ${mediaType}`, content),
      ),
      Buffer.from(`--${boundary}--\r\n`),
    ]);
  }
}
