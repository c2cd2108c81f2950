import cors from 'cors';
import type { Express, RequestHandler } from 'express';
import { strictTransportSecurity } from 'helmet';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { Services } from '../core/create-services.ts';
import type { RateLimits } from '../core/people/rules/rate-limits.ts';
import type { SignIn } from '../core/people/sign-in/sign-in.ts';
import { authenticateKeyOrPerson, type PersonAuthenticator } from './authentication/authenticate-people.ts';
import { type Authenticator, refuseLiveKeysFromBrowsers } from './authentication/authenticate.ts';
import { checkoutRoutes, lostPages } from './checkout/routes.ts';
import { createExpress } from './base/create-express.ts';
import { dashboardPages } from './routes/dashboard.ts';
import { docsPages } from './routes/docs.ts';
import { handleErrors, methodNotAllowed, routeNotFound } from './base/errors.ts';
import type { GraphqlEndpoint } from '../transport/graphql-endpoint.ts';
import { redirectBrowsers, graphqlRoute } from './routes/graphql.ts';
import { type Health, healthRoutes } from './routes/health.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { explorerPage, onFirstUse } from './base/pages.ts';
import { referencePage } from './base/reference-page.ts';
import { addOperations } from './routes/operations.ts';
import { handleTokenPreflight, isTokenPreflight } from './routes/payments/payment-tokens.ts';
import { auditFileName, parseAuditExport } from '../core/audit/audit-export.ts';
import { bookFileName, parseBookFile } from '../core/books/book-export.ts';
import { exportFileName, parsePaymentExport } from '../core/reports/payment-export.ts';
import { parseRefundExport, refundFileName } from '../core/refunds/refund-export.ts';
import { parseReceiptExport, receiptFileName } from '../core/books/receipt-export.ts';
import { type CsvFile, csvFileRoute, type FileRequest } from './routes/csv-file.ts';
import { logoRoute } from './routes/logos.ts';
import { assertKnownToken } from './routes/assert-known-token.ts';
import { pspNotificationRoute } from './routes/psp-notifications.ts';
import { admitInTurns } from './limits/admission.ts';
import { callerLimits, limitByCaller } from './limits/rate-limit.ts';
import type { RateLimitStore } from './limits/rate-limit-store.ts';
import { traceRequests } from './base/request-context.ts';
import type { RequestNotes } from './live/request-notes.ts';
import { sendJson } from './base/send-json.ts';
import { addLinkRoutes } from './routes/people/links.ts';
import { addIdentityProviderRoutes } from './routes/people/identity-provider.ts';
import { addSignInRoutes } from './routes/people/sign-in.ts';
import { warnAboutProxies } from './limits/warn-about-proxies.ts';

export interface HttpDependencies {
  services: Services;
  authenticator: Pick<Authenticator, 'authenticate'>;
  people: PersonAuthenticator;
  requestNotes: Pick<RequestNotes, 'served' | 'unrouted'>;
  signIn: SignIn;
  graphql: GraphqlEndpoint;
  health: Health;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  now: () => Date;
  keyStore: RateLimitStore;
  /** Counts requests per address, if they have no credentials that this node knows. */
  addressStore: RateLimitStore;
  /** Counts attempts at a password or a code. */
  signInStore: RateLimitStore;
  /** Folder of the built web application. */
  dashboardDirectory: string;
  /** Folder of the built documentation. */
  docsDirectory: string;
  /** Folder of the built files that checkout pages load. */
  checkoutDirectory: string;
  settings: {
    rateLimits: RateLimits;
    corsOrigins: readonly string[];
    trustProxy: number | readonly string[] | false;
    publicUrl: string;
    /** Outside of production there is an explorer, and this port serves metrics too. */
    isProduction: boolean;
  };
}

const exposedHeaders = [
  'X-Trace-Id',
  'X-Error-Code',
  'Link',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Location',
  'Idempotency-Replayed',
];

/** For a year, browsers use only https for this host. Subdomains may belong to other services. */
const strictTransport = strictTransportSecurity({ maxAge: 31_536_000, includeSubDomains: false });

const startingPoints = (publicUrl: string) => ({
  service: 'PIX payment service',
  dashboard: `${publicUrl}/dashboard/`,
  documentation: `${publicUrl}/docs/`,
  rest: `${publicUrl}/openapi.json`,
  graphql: `${publicUrl}/graphql`,
});

/** Registers the routes, with the checks in this order: key, rate limit, permission, body, work. */
export async function createHttpApp(dependencies: HttpDependencies): Promise<Express> {
  const { services, signIn, logger, metrics, tracing, now, settings } = dependencies;
  const { publicUrl } = settings;
  const app = createExpress(settings.trustProxy);
  const health = healthRoutes(dependencies.health, metrics);

  const { authenticate: authenticated } = dependencies.authenticator;
  const limits: RequestHandler[] = [
    dependencies.requestNotes.served,
    limitByCaller(dependencies.keyStore, callerLimits(services.keyLimits, settings.rateLimits.usual)),
    refuseLiveKeysFromBrowsers(settings.corsOrigins),
  ];
  const keyed = [authenticated, ...limits];
  const knownToken = assertKnownToken({
    notifications: services.notifications,
    addresses: dependencies.addressStore,
    addressLimitPerMinute: settings.rateLimits.usual,
  });
  const keyedOrPersonal = authenticateKeyOrPerson(dependencies.people, authenticated);

  app.use(admitInTurns());
  app.use(traceRequests(logger, metrics, tracing));
  if (publicUrl.startsWith('https:')) app.use(strictTransport);
  if (settings.trustProxy === false) app.use(warnAboutProxies(logger));
  if (settings.corsOrigins.length > 0) {
    const listed = cors({ origin: [...settings.corsOrigins], exposedHeaders, maxAge: 600 });
    app.use((request, response, next) => {
      if (isTokenPreflight(request)) next();
      else listed(request, response, next);
    });
  }

  app.options(['/v1/payments/:id', '/graphql'], handleTokenPreflight);

  const hasExplorer = !settings.isProduction;
  if (hasExplorer) app.use('/explorer', onFirstUse(explorerPage));
  const graphql = graphqlRoute(
    dependencies.graphql,
    services.liveSessions,
    { post: keyedOrPersonal, get: authenticated },
    limits,
  );
  // A route of its own, because the other one reports errors the way GraphQL does.
  app.get('/graphql', redirectBrowsers(hasExplorer));
  app.route('/graphql').post(graphql.post).get(graphql.get).all(methodNotAllowed('GET', 'POST'));

  addOperations(app, keyed, services, now);

  const notifications = pspNotificationRoute(services.notifications, knownToken);
  // Requests are counted by the pattern of their route, so each has its own.
  for (const suffix of ['{/pix}', '/rec', '/cobr'])
    app.route(`/psp/:provider/:token${suffix}`).post(notifications).all(methodNotAllowed('POST'));

  app.use('/pay', checkoutRoutes({ ...dependencies, ...services }));

  addSignInRoutes(app, { signIn, tries: dependencies.signInStore, publicUrl, now });
  addIdentityProviderRoutes(app, { signIn, tries: dependencies.signInStore, publicUrl });
  addLinkRoutes(app, { ...services, signIn, tries: dependencies.signInStore, publicUrl });

  const addFile = <Wanted extends FileRequest>(name: string, file: CsvFile<Wanted>) =>
    app
      .route(`/dashboard/${name}.csv`)
      .get(csvFileRoute({ ...services, signIn, settings, now }, file, limits))
      .all(methodNotAllowed('GET'));
  const { paymentExport, refundExport, bookExport, receiptExport, auditExport } = services;
  addFile('payments', { parse: parsePaymentExport, fileNameOf: exportFileName, csv: paymentExport.csv });
  addFile('refunds', { parse: parseRefundExport, fileNameOf: refundFileName, csv: refundExport.csv });
  addFile('books', { parse: parseBookFile, fileNameOf: bookFileName, csv: bookExport.file });
  addFile('receipts', { parse: parseReceiptExport, fileNameOf: receiptFileName, csv: receiptExport.csv });
  addFile('audit-log', { parse: parseAuditExport, fileNameOf: auditFileName, csv: auditExport.csv });

  const document = openApiDocument({ serverUrl: publicUrl, rateLimitPerMinute: settings.rateLimits.usual });
  app
    .route('/openapi.json')
    .get((_request, response) => {
      sendJson(response, 200, document);
    })
    .all(methodNotAllowed('GET'));
  // A browser is redirected; whoever asks with another program is told where to go on.
  app.get('/', (request, response, next) => {
    // Express takes `//` for it.
    if (request.path !== '/') next();
    else if (request.accepts('json', 'html') === 'html') response.redirect('/dashboard/');
    else sendJson(response, 200, startingPoints(publicUrl));
  });
  app.get('/llms.txt', (_request, response) => {
    response.redirect('/docs/llms.txt');
  });
  app.use('/docs/reference', await referencePage());
  app.use('/docs', docsPages(dependencies.docsDirectory, settings.isProduction));
  app.use('/dashboard', dashboardPages(dependencies.dashboardDirectory, settings.isProduction));

  app
    .route('/logos/:id')
    .get(logoRoute({ ...services, ...dependencies }))
    .all(methodNotAllowed('GET'));

  app.route('/healthz').get(health.live).all(methodNotAllowed('GET'));
  app.route('/readyz').get(health.ready).all(methodNotAllowed('GET'));
  if (!settings.isProduction) app.route('/metrics').get(health.metrics).all(methodNotAllowed('GET'));

  app.use(lostPages(dependencies));
  app.use(routeNotFound);
  app.use(dependencies.requestNotes.unrouted);
  app.use(handleErrors(logger, now));
  return app;
}
