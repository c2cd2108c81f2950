import { connect } from 'node:net';
import type { Answer } from './client.ts';

/** What no client library sends: these bytes, on a connection of their own, until the server closes it. */
export async function sendBytes(baseUrl: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The server may answer and close before it has read everything.
  socket.on('error', () => undefined);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString();
}

function readResponse(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1),
    ]),
  );
  const body = rest.join('\r\n\r\n');
  return { status: Number(statusLine.split(' ')[1]), headers, body: body ? JSON.parse(body) : undefined };
}

export const sendRaw = async (baseUrl: string, bytes: string | Buffer): Promise<Answer> =>
  readResponse(await sendBytes(baseUrl, bytes));

/** A request whose line, headers and body go as they are; the same header may be given twice. */
export function rawRequest(
  baseUrl: string,
  requestLine: string,
  headers: readonly (readonly [name: string, value: string])[] = [],
  body: string | Buffer = '',
): Promise<Answer> {
  const bytes = Buffer.from(body);
  const isFramed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const head = [
    `${requestLine} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...(bytes.length > 0 && !isFramed ? [`Content-Length: ${bytes.length}`] : []),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n');
  return sendRaw(baseUrl, Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), bytes]));
}
