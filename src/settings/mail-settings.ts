import { z } from 'zod';
import { parseUrl } from '../core/base/parse-url.ts';
import { isLocal } from '../network/plaintext.ts';

export interface Mail {
  url: { reveal(): string };
  from: string;
}

/** A mail server, and who its messages are from. */
export const mail = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be a URL such as smtps://user:password@mail.example.com' })
    .optional(),
  SMTP_FROM: z
    .string()
    .regex(
      /^([^<>@\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'must be an address such as Pix <pix@example.com>',
    )
    .optional(),
};

type Given = Readonly<Record<string, string | undefined>>;

/** Passwords must not travel unencrypted: `smtp://` is refused in production unless it is made to use STARTTLS. */
export function mailMistakes(given: Given, named: ReadonlySet<string>, isProduction: boolean): string[] {
  const mistakes: string[] = [];
  const { SMTP_URL: url, SMTP_FROM: from } = given;
  if (url === undefined && from !== undefined && !named.has('SMTP_URL'))
    mistakes.push('SMTP_URL: is required with SMTP_FROM');
  if (url !== undefined && from === undefined) mistakes.push('SMTP_FROM: is required with SMTP_URL');
  const parsed = url === undefined || named.has('SMTP_URL') ? undefined : parseUrl(url);
  const isPlain = parsed?.protocol === 'smtp:' && parsed.searchParams.get('requireTLS') !== 'true';
  if (isProduction && parsed && isPlain && !isLocal(parsed.hostname))
    mistakes.push('SMTP_URL: must begin with smtps://, or end in ?requireTLS=true, when NODE_ENV=production');
  return mistakes;
}

/** Undefined: no e-mail is sent. */
export function mailOf({
  SMTP_URL: url,
  SMTP_FROM: from,
}: z.output<z.ZodObject<typeof mail>>): Mail | undefined {
  return url === undefined || from === undefined
    ? undefined
    : { url: Object.freeze({ reveal: () => url }), from };
}
