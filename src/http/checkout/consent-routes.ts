import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Consents, ConsentView } from '../../core/checkout/consents.ts';
import { methodNotAllowed } from '../base/errors.ts';
import { countAtMost } from '../limits/count-at-most.ts';
import type { RateLimitStore } from '../limits/rate-limit-store.ts';
import { consentPage } from './consent-page.ts';
import type { PageFrame } from './page.ts';

interface Dependencies {
  consents: Consents;
  addressStore: RateLimitStore;
  frameOf(request: Request, response: Response): PageFrame;
  send(request: Request, response: Response, status: number, page: string): void;
  sendNotFound(request: Request, response: Response): void;
  /** Limits requests per address. */
  limited: RequestHandler;
}

type WithToken = Request<{ token: string }>;

const requestsPerRecurrence = 120;
/** Banks take some seconds to confirm a permission, so nobody waits for it with an open request. */
const askAgainSeconds = 3;

/** The pages on which payers permit recurrences, below /pay/r. */
export function consentRoutes(dependencies: Dependencies): Router {
  const { consents, addressStore, frameOf, send, sendNotFound, limited } = dependencies;

  async function read(token: string): Promise<ConsentView | undefined> {
    const id = consents.idOf(token);
    if (id === undefined) return undefined;
    await countAtMost(addressStore, requestsPerRecurrence, `pay:${id}`);
    return consents.read(token);
  }

  const answer =
    (isKnown: (view: ConsentView, request: WithToken) => boolean) =>
    async (request: WithToken, response: Response): Promise<void> => {
      const { token } = request.params;
      const plain = request as unknown as Request;
      const view = await read(token);
      if (!view) sendNotFound(plain, response);
      else if (isKnown(view, request)) response.setHeader('Retry-After', askAgainSeconds).status(204).end();
      else send(plain, response, 200, consentPage(frameOf(plain, response), view, `/pay/r/${token}`));
    };

  const router = Router();
  router.use(limited);
  router
    .route('/:token')
    .get(answer(() => false))
    .all(methodNotAllowed('GET'));
  router
    .route('/:token/changes')
    .get(answer(({ version }, { query }) => query['after'] === version))
    .all(methodNotAllowed('GET'));
  return router;
}
