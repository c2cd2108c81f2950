import { randomBytes } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { ServiceError } from '../../core/base/errors.ts';
import { ownOrigins } from '../../core/base/origin.ts';
import { transportError } from '../../transport/errors.ts';
import type { LinkCheckout, LinkForm } from '../../core/checkout/link-checkout.ts';
import { methodNotAllowed } from '../base/errors.ts';
import { countAtMost } from '../limits/count-at-most.ts';
import type { RateLimitStore } from '../limits/rate-limit-store.ts';
import { keepForm, takeForm } from './kept-form.ts';
import { linkPage, type LinkFormState } from './link-page.ts';
import { type FormField, formFields } from './link-texts.ts';
import type { PageFrame } from './page.ts';

interface Dependencies {
  linkCheckout: LinkCheckout;
  addressStore: RateLimitStore;
  publicUrl: string;
  frameOf(request: Request, response: Response): PageFrame;
  send(request: Request, response: Response, status: number, page: string): void;
  sendNotFound(request: Request, response: Response): void;
  /** Limits requests per address. */
  limited: RequestHandler;
}

/** A payer starts once or twice, and a few times more after typing a wrong document. */
const startsPerAddress = 20;
const startsPerLink = 60;
/**
 * When others start a link too often, each address may still start this many, so that nobody can close the link to real payers.
 */
const startsWhileBusy = 2;

const attemptPattern = /^[\w-]{22}$/;

const newAttempt = (): string => randomBytes(16).toString('base64url');

/** Another site's page must not make payments in its visitors' names. */
function assertOwnForm({ headers }: Request, publicUrl: string): void {
  const { 'sec-fetch-site': site, origin, host } = headers;
  // Our pages send no referrer, so browsers send the origin `null`.
  const isOwn =
    site === undefined
      ? origin === undefined || origin === 'null' || ownOrigins(publicUrl, host).includes(origin)
      : site === 'same-origin';
  if (!isOwn)
    throw transportError('foreign_origin', "A payment can only be started from the link's own page");
}

const readForm = express.urlencoded({ extended: false, limit: 8_192, parameterLimit: 20 });

interface SentForm {
  /** Undefined if no page of ours has sent it. */
  attempt: string | undefined;
  /** The token of the payment that the page of an expired one wants another for. */
  expired: string | undefined;
  form: LinkForm;
}

function formOf(body: unknown): SentForm {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const entries = formFields.flatMap((field) => {
    const value = given[field];
    return typeof value === 'string' ? [[field, value] as const] : [];
  });
  const { attempt, expired } = given;
  const isAttempt = typeof attempt === 'string' && attemptPattern.test(attempt);
  return {
    attempt: isAttempt ? attempt : undefined,
    expired: typeof expired === 'string' ? expired : undefined,
    form: Object.fromEntries(entries),
  };
}

/** The fields that a refusal is about; none if it is about something else. */
function wrongFields(
  error: unknown,
  required: readonly FormField[],
  form: LinkForm,
): FormField[] | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  if (error.code === 'payer_data_missing') return required.filter((field) => !form[field]?.trim());
  // The message is ours, and names fields as a create request does: `payer.phone must be …`.
  if (error.code === 'provider_refused_payer') {
    const named = required.filter((field) => error.message.includes(`payer.${field}`));
    return named.length > 0 ? named : [...required];
  }
  if (error.code === 'amount_not_accepted') return ['amount'];
  if (error.code !== 'invalid_request') return undefined;
  const named = (error.context.problems ?? []).map(({ path }) => path.replace(/^payer\./, ''));
  // Names everything that is missing at once, instead of one field after another.
  const isMissing = (field: FormField) => required.includes(field) && !form[field]?.trim();
  return named.length > 0 ? formFields.filter((field) => named.includes(field) || isMissing(field)) : [];
}

/** Refusals that the payer cannot fix, but may see, or get past with a fresh form. */
const shownRefusals = new Set([
  'idempotency_key_reused',
  'no_provider_available',
  'provider_unavailable',
  'no_usable_credential',
  'credential_not_usable',
  'rule_set_not_usable',
  'credential_unreadable',
  'provider_refused',
]);

/** The pages of payment links, below /pay/l. */
export function linkRoutes(dependencies: Dependencies): Router {
  const { linkCheckout, addressStore, publicUrl, frameOf, send, sendNotFound, limited } = dependencies;

  const countStarts: RequestHandler<{ token: string }> = async (request, response, next) => {
    const address = ipKeyGenerator(request.ip ?? '');
    const id = linkCheckout.idOf(request.params.token);
    if (request.method === 'POST') {
      await countAtMost(addressStore, startsPerAddress, `pay-start:${address}`);
      // Comes before the link's own count, which another site's page could otherwise use up.
      assertOwnForm(request as unknown as Request, publicUrl);
      if (id !== undefined) {
        const { totalHits: linkStarts } = await addressStore.increment(`pay-start:${id}`);
        const { totalHits: addressStarts } = await addressStore.increment(`pay-start:${id} ${address}`);
        if (linkStarts > startsPerLink)
          await countAtMost(addressStore, startsWhileBusy, `pay-busy:${id} ${address}`);
        response.locals['mayExceedLinkLimit'] = addressStarts <= startsWhileBusy;
      }
    }
    if (id === undefined) sendNotFound(request as unknown as Request, response);
    else next();
  };

  type WithToken = Request<{ token: string }>;

  const placeOf = (token: string) => ({ path: `/pay/l/${token}`, isSecure: publicUrl.startsWith('https:') });

  async function show(request: WithToken, response: Response, status = 200, state?: LinkFormState) {
    const { token } = request.params;
    const link = await linkCheckout.read(token).catch((error: unknown) => {
      // What the link needs has been disabled since it was created.
      if (error instanceof ServiceError && shownRefusals.has(error.code)) return undefined;
      throw error;
    });
    if (!link) {
      sendNotFound(request as unknown as Request, response);
      return;
    }
    const frame = frameOf(request as unknown as Request, response);
    const page = linkPage(frame, link, placeOf(token).path, newAttempt(), state);
    send(request as unknown as Request, response, link.status === 'active' ? status : 410, page);
  }

  const pay = async (request: WithToken, response: Response): Promise<void> => {
    const { token } = request.params;
    const { attempt, expired, form } = formOf(request.body);
    if (attempt === undefined && expired === undefined) {
      await show(request, response, 400, { form, wrong: [], isRefused: true });
      return;
    }
    try {
      const mayExceedLinkLimit = response.locals['mayExceedLinkLimit'] === true;
      const path =
        attempt === undefined
          ? await linkCheckout.payAgain(token, expired, mayExceedLinkLimit)
          : await linkCheckout.pay(token, attempt, form, mayExceedLinkLimit);
      if (path === undefined) await show(request, response);
      else response.redirect(303, path);
    } catch (error) {
      const link = await linkCheckout.read(token).catch(() => undefined);
      const wrong = wrongFields(error, link?.requiredFields ?? [], form);
      const isShown = error instanceof ServiceError && shownRefusals.has(error.code);
      if (!wrong?.length && !isShown) throw error;
      keepForm(response, placeOf(token), { form, wrong: wrong ?? [], isRefused: !wrong?.length });
      response.redirect(303, placeOf(token).path);
    }
  };

  const router = Router();
  router.use(limited);
  router
    .route('/:token')
    .get(countStarts, (request, response) =>
      show(
        request,
        response,
        200,
        takeForm(request as unknown as Request, response, placeOf(request.params.token)),
      ),
    )
    .post(countStarts, readForm, pay)
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}
