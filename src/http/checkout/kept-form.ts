import type { Request, Response } from 'express';
import { z } from 'zod';
import type { LinkFormState } from './link-page.ts';
import { formFields } from './link-texts.ts';

const name = 'link_form';
/** Longer than any redirect takes. */
const keptForMs = 60_000;
/** Browsers drop cookies of more than 4,096 bytes. */
const maximumLength = 3_900;

const field = z.enum(formFields);
const schema = z.object({
  form: z.partialRecord(field, z.string()),
  wrong: z.array(field),
  isRefused: z.boolean(),
});

interface Place {
  path: string;
  isSecure: boolean;
}

const textOf = (state: LinkFormState): string => Buffer.from(JSON.stringify(state)).toString('base64url');

/** What was typed stays in the payer's own browser until the page has been shown again, so that going back repeats no form. */
export function keepForm(response: Response, { path, isSecure }: Place, state: LinkFormState): void {
  const text = textOf(state);
  response.cookie(name, text.length > maximumLength ? textOf({ ...state, form: {} }) : text, {
    path,
    secure: isSecure,
    httpOnly: true,
    sameSite: 'strict',
    maxAge: keptForMs,
  });
}

/** Undefined unless it was refused just now. */
export function takeForm(
  { headers }: Request,
  response: Response,
  { path }: Place,
): LinkFormState | undefined {
  const text = new RegExp(`(?:^|; *)${name}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];
  if (text === undefined) return undefined;
  response.clearCookie(name, { path });
  try {
    return schema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return undefined;
  }
}
