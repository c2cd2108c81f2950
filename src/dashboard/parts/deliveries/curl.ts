interface HttpRequest {
  method: string;
  url: string;
  headers: readonly { name: string; value: string }[];
  body: string;
}

/** POSIX shells read it so. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Writes a request as a command for the shell; it may end up in the shell's history. */
export const curlOf = ({ method, url, headers, body }: HttpRequest): string =>
  [
    `curl -i -X ${method} ${quoted(url)}`,
    ...headers.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    // The body goes as it is: --data would drop line breaks.
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ');
