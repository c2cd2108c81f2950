import { randomBytes } from 'node:crypto';
import { newAddress } from './people.ts';

/** A page has one in its form each time it is shown. */
export const newAttempt = (): string => randomBytes(16).toString('base64url');

/** Sends the form of a payment link as a browser does, from an address that nobody else has. */
export const sendLinkForm = (
  url: string,
  form: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'X-Forwarded-For': newAddress(),
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'same-origin',
      ...headers,
    },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  });

/** The page of a form that was refused, as a browser shows it after the redirect; undefined if it was not. */
export async function refusedForm(url: string, { status, headers }: Response): Promise<string | undefined> {
  if (status !== 303 || headers.get('location') !== new URL(url).pathname) return undefined;
  const cookie = headers.getSetCookie().map((each) => each.split(';')[0]);
  const shown = await fetch(url, {
    headers: { 'X-Forwarded-For': newAddress(), Cookie: cookie.join('; ') },
  });
  return shown.text();
}
