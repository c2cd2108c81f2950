// The REST routes: their methods and paths are those of the OpenAPI document (../openapi/paths.ts), and what each does is here.
import type { Express, RequestHandler } from 'express';
import type { Services } from '../../core/create-services.ts';
import { methodNotAllowed } from '../base/errors.ts';
import { defenceBody, jsonBody, largeJsonBody } from '../base/json-body.ts';
import { paths } from '../openapi/paths.ts';
import { disputeRoutes } from './payments/disputes.ts';
import { eventRoutes } from './events.ts';
import { batchRoutes } from './payments/batches.ts';
import { paymentLinkRoutes } from './payments/payment-links.ts';
import { paymentTokenRoutes } from './payments/payment-tokens.ts';
import { paymentRoutes, permitted } from './payments/payments.ts';
import { recurrenceRoutes } from './payments/recurrences.ts';
import { refundRoutes } from './payments/refunds.ts';
import { sandboxRoutes } from './payments/sandbox.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.ts';
import { requestStreamRoute } from './request-stream.ts';

type Paths = typeof paths;

type IdsOf<Item> = Item[keyof Item] extends { operationId: infer Id extends string } ? Id : never;

type ParamsOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsOf<Rest> : never;

type Handler<Path> = [ParamsOf<Path>] extends [never]
  ? RequestHandler
  : RequestHandler<Record<ParamsOf<Path>, string>>;

/** What each operation does once the key is known. */
type Handlers = { [Path in keyof Paths as IdsOf<Paths[Path]>]: readonly Handler<Path>[] };

type PathItem = { [Method in 'get' | 'post' | 'patch' | 'delete']?: { operationId: keyof Handlers } };

function handlersOf(services: Services, now: () => Date): Handlers {
  const payments = paymentRoutes(services.payments, services.responses);
  const paymentTokens = paymentTokenRoutes(services.paymentTokens);
  const refunds = refundRoutes(services.refunds, services.refundLists);
  const paymentLinks = paymentLinkRoutes(services.paymentLinks);
  const batches = batchRoutes(services.batches);
  const recurrences = recurrenceRoutes(services.recurrences, services.sandboxRecurrences);
  const disputes = disputeRoutes(services.disputes, services.disputeEvidence);
  const events = eventRoutes(services.events, services.responses);
  const webhookEndpoints = webhookEndpointRoutes(services.webhookEndpoints);
  const sandbox = sandboxRoutes(services.sandbox, services.testClock);
  return {
    createPayment: [permitted('payments:create'), ...jsonBody, payments.create],
    listPayments: [payments.list],
    getPayment: [payments.get],
    updatePayment: [permitted('payments:update'), ...jsonBody, payments.update],
    createPaymentToken: [paymentTokens.create],
    retryPayment: [permitted('payments:update'), ...jsonBody, payments.retry],
    cancelPayment: [permitted('payments:cancel'), payments.cancel],
    createRecurrence: [permitted('payments:create'), ...jsonBody, recurrences.create],
    listRecurrences: [recurrences.list],
    getRecurrence: [recurrences.get],
    cancelRecurrence: [permitted('payments:cancel'), recurrences.cancel],
    chargeRecurrence: [permitted('payments:create'), ...jsonBody, recurrences.charge],
    listRecurrencePayments: [recurrences.payments],
    sandboxApproveRecurrence: [recurrences.approve],
    sandboxRejectRecurrence: [recurrences.reject],
    sandboxRevokeRecurrence: [recurrences.revoke],
    sandboxAnswerDebit: [...jsonBody, sandbox.answerDebit],
    listDisputes: [disputes.list],
    getDispute: [disputes.get],
    defendDispute: [permitted('disputes:answer'), ...defenceBody, disputes.defend],
    acceptDispute: [permitted('disputes:answer'), disputes.accept],
    getDisputeEvidence: [disputes.evidence],
    getDisputeDocument: [disputes.document],
    refundPayment: [permitted('payments:refund'), ...jsonBody, refunds.create],
    listRefunds: [refunds.list],
    listAllRefunds: [refunds.listAll],
    createPaymentBatch: [permitted('payment-batches:create'), ...largeJsonBody, batches.create],
    getPaymentBatch: [batches.get],
    createPaymentLink: [permitted('payment-links:manage'), ...jsonBody, paymentLinks.create],
    listPaymentLinks: [paymentLinks.list],
    getPaymentLink: [paymentLinks.get],
    listPaymentLinkPayments: [paymentLinks.payments],
    deactivatePaymentLink: [permitted('payment-links:manage'), paymentLinks.deactivate],
    listEvents: [events.list],
    createWebhookEndpoint: [permitted('webhooks:manage'), ...jsonBody, webhookEndpoints.create],
    listWebhookEndpoints: [webhookEndpoints.list],
    getWebhookEndpoint: [webhookEndpoints.get],
    updateWebhookEndpoint: [permitted('webhooks:manage'), ...jsonBody, webhookEndpoints.update],
    deleteWebhookEndpoint: [webhookEndpoints.delete],
    enableWebhookEndpoint: [webhookEndpoints.enable],
    disableWebhookEndpoint: [webhookEndpoints.disable],
    rotateWebhookSecret: [webhookEndpoints.rotateSecret],
    testWebhookEndpoint: [webhookEndpoints.test],
    streamRequests: [requestStreamRoute({ ...services, now })],
    sandboxPay: [...jsonBody, sandbox.pay],
    sandboxExpire: [sandbox.expire],
    sandboxReverse: [...jsonBody, sandbox.reverse],
    sandboxDispute: [...jsonBody, sandbox.dispute],
    sandboxCloseDispute: [...jsonBody, sandbox.closeDispute],
    readTestClock: [sandbox.readClock],
    advanceTestClock: [...jsonBody, sandbox.advanceClock],
    resetTestClock: [sandbox.resetClock],
    sandboxReceivePix: [...jsonBody, sandbox.receive],
  };
}

/** Mounts every operation of the OpenAPI document behind the checks of a key, and refuses the other methods of its path. */
export function addOperations(
  app: Express,
  keyed: readonly RequestHandler[],
  services: Services,
  now: () => Date,
): void {
  const handlers: Record<keyof Handlers, readonly RequestHandler<never>[]> = handlersOf(services, now);
  for (const [path, item] of Object.entries<PathItem>(paths)) {
    const route = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    const allowed: string[] = [];
    for (const method of ['delete', 'get', 'patch', 'post'] as const) {
      const operation = item[method];
      if (!operation) continue;
      route[method](...keyed, ...handlers[operation.operationId]);
      allowed.push(method.toUpperCase());
    }
    route.all(methodNotAllowed(...allowed));
  }
}
