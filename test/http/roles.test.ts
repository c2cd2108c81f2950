import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { permissions } from '../../src/core/base/key-permissions.ts';
import { type Action, type Role, roleMay, roles, rules } from '../../src/core/base/roles.ts';
import { buildGraphqlSchema } from '../../src/graphql/schema.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { createKey } from '../support/factories.ts';
import { openSession } from '../support/people.ts';

let app: TestApp;
let clients: Record<Role, Client>;
let key: Client;
let newcomer: Client;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api', TRUST_PROXY: '1' });
  const { id: organizationId } = await app.services.organizations.create('Roles');
  const open = async (role: Role) => (await openSession(app, { role, organizationId })).client;
  const [owner, developer, support, viewer] = await Promise.all([
    open('owner'),
    open('developer'),
    open('support'),
    open('viewer'),
  ]);
  clients = { owner, developer, support, viewer };
  newcomer = (await openSession(app, { organizationId, mustChangePassword: true })).client;
  const powerful = await createKey(app.services, { organizationId, permissions: [...permissions] });
  key = createClient(app.baseUrl, powerful.key);
});

afterAll(() => app.stop());

const id = randomUUID();

/** Each operation with the action that it needs; null: none. What it names does not exist. */
const operations: Record<string, [action: Action | null, text: string]> = {
  me: [null, '{ me { id } }'],
  sessions: [null, '{ sessions { id } }'],
  endSession: [null, `mutation { endSession(id: "${id}") }`],
  node: ['payments:read', `{ node(id: "${id}") { id } }`],
  payment: ['payments:read', `{ payment(id: "${id}") { id } }`],
  paymentToken: ['payments:read', `{ paymentToken(id: "${id}") { token } }`],
  payments: ['payments:read', '{ payments { edges { cursor } } }'],
  events: ['payments:read', '{ events { edges { cursor } } }'],
  paymentDetail: ['payments:investigate', `{ paymentDetail(id: "${id}") { paidLate } }`],
  receipts: ['payments:investigate', '{ receipts(from: "2026-11-01", to: "2026-11-02") { since } }'],
  paymentTotals: ['payments:investigate', '{ paymentTotals { count } }'],
  savedViews: ['payments:investigate', '{ savedViews { name } }'],
  saveView: ['payments:investigate', 'mutation { saveView(name: "x", query: "") { name } }'],
  deleteView: ['payments:investigate', 'mutation { deleteView(name: "x") }'],
  searchableSince: ['payments:investigate', '{ searchableSince }'],
  searchPayments: ['payments:investigate', '{ searchPayments(text: "x") { id } }'],
  statistics: [
    'payments:investigate',
    '{ statistics(from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z") { created } }',
  ],
  paidByHour: [
    'payments:investigate',
    '{ paidByHour(from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z") }',
  ],
  createPayment: ['payments:create', 'mutation { createPayment(input: { amount: 1 }) { id } }'],
  updatePayment: ['payments:update', `mutation { updatePayment(id: "${id}", input: { amount: 1 }) { id } }`],
  createPaymentBatch: [
    'payment-batches:create',
    'mutation { createPaymentBatch(input: { payments: [{ amount: 1 }] }) { id } }',
  ],
  createRecurrence: [
    'payments:create',
    `mutation { createRecurrence(input: { contract: "1", frequency: monthly, startDate: "2030-01-01", authorization: qr }) { id } }`,
  ],
  recurrence: ['payments:read', `{ recurrence(id: "${id}") { id } }`],
  recurrences: ['payments:read', '{ recurrences { edges { cursor } } }'],
  upcomingDebitDays: ['payments:investigate', '{ upcomingDebitDays { count } }'],
  upcomingDebits: ['payments:investigate', '{ upcomingDebits(on: "2000-01-01") { edges { cursor } } }'],
  failedDebits: ['payments:investigate', '{ failedDebits { edges { cursor } } }'],
  dispute: ['payers:read', `{ dispute(id: "${id}") { id } }`],
  disputes: ['payments:read', '{ disputes { edges { cursor } } }'],
  disputeDocument: ['payers:read', `{ disputeDocument(id: "${id}", documentId: "${id}") { id } }`],
  disputeEvidence: ['payers:read', `{ disputeEvidence(id: "${id}") }`],
  defendDispute: [
    'disputes:answer',
    `mutation { defendDispute(id: "${id}", input: { statement: "no" }) { id } }`,
  ],
  acceptDispute: ['disputes:answer', `mutation { acceptDispute(id: "${id}") { id } }`],
  cancelRecurrence: ['payments:cancel', `mutation { cancelRecurrence(id: "${id}") { id } }`],
  chargeRecurrence: [
    'payments:create',
    `mutation { chargeRecurrence(id: "${id}", input: { dueDate: "2030-01-01" }) { id } }`,
  ],
  retryPayment: ['payments:update', `mutation { retryPayment(id: "${id}", date: "2030-01-01") { id } }`],
  simulateApproval: ['payments:simulate', `mutation { simulateApproval(id: "${id}") { id } }`],
  simulateRejection: ['payments:simulate', `mutation { simulateRejection(id: "${id}") { id } }`],
  simulateRevocation: ['payments:simulate', `mutation { simulateRevocation(id: "${id}") { id } }`],
  simulateDebit: ['payments:simulate', `mutation { simulateDebit(id: "${id}", outcome: paid) { id } }`],
  paymentBatch: ['payments:read', `{ paymentBatch(id: "${id}") { id } }`],
  cancelPayment: ['payments:cancel', `mutation { cancelPayment(id: "${id}") { id } }`],
  refunds: ['payments:read', `{ refunds(paymentId: "${id}") { edges { cursor } } }`],
  refundPayment: ['payments:refund', `mutation { refundPayment(id: "${id}") { id } }`],
  settleRefund: ['refunds:settle', `mutation { settleRefund(refundId: "${id}", isMade: true) { id } }`],
  forgetPerson: ['payers:forget', `mutation { forgetPerson(input: { paymentId: "${id}" }) { id } }`],
  testClock: ['payments:simulate', '{ testClock { now } }'],
  advanceTestClock: ['payments:simulate', 'mutation { advanceTestClock(advance: "PT1S") { now } }'],
  resetTestClock: ['payments:simulate', 'mutation { resetTestClock { now } }'],
  simulatePayment: ['payments:simulate', `mutation { simulatePayment(id: "${id}") { id } }`],
  paymentLink: ['payments:read', `{ paymentLink(id: "${id}") { id } }`],
  paymentLinks: ['payments:read', '{ paymentLinks { edges { cursor } } }'],
  paymentLinkPayments: ['payments:read', `{ paymentLinkPayments(id: "${id}") { edges { cursor } } }`],
  createPaymentLink: ['payment-links:manage', 'mutation { createPaymentLink(input: { amount: 1 }) { id } }'],
  deactivatePaymentLink: ['payment-links:manage', `mutation { deactivatePaymentLink(id: "${id}") { id } }`],
  createTestPayment: ['payments:try', 'mutation { createTestPayment(input: { amount: 1 }) { id } }'],
  webhookEndpoints: ['webhooks:read', '{ webhookEndpoints { id } }'],
  webhookEndpointSummaries: ['webhooks:read', '{ webhookEndpointSummaries { endpointId } }'],
  webhookEndpoint: ['webhooks:read', `{ webhookEndpoint(id: "${id}") { id } }`],
  webhookDeliveries: ['webhooks:read', `{ webhookDeliveries(endpointId: "${id}") { edges { cursor } } }`],
  webhookEndpointHealth: ['webhooks:read', `{ webhookEndpointHealth(id: "${id}") { attempts } }`],
  testWebhookEndpoint: ['webhooks:manage', `mutation { testWebhookEndpoint(id: "${id}") { statusCode } }`],
  deleteWebhookEndpoint: ['webhooks:manage', `mutation { deleteWebhookEndpoint(id: "${id}") }`],
  resendUndeliveredWebhooks: [
    'webhooks:resend',
    `mutation { resendUndeliveredWebhooks(endpointId: "${id}") }`,
  ],
  webhookRequest: ['webhooks:read', `{ webhookRequest(deliveryId: "${id}") { url } }`],
  createWebhookEndpoint: [
    'webhooks:manage',
    'mutation { createWebhookEndpoint(input: { url: "https://shop.example.com" }) { secret } }',
  ],
  updateWebhookEndpoint: [
    'webhooks:manage',
    `mutation { updateWebhookEndpoint(id: "${id}", input: {}) { id } }`,
  ],
  setWebhookEndpointEnabled: [
    'webhooks:manage',
    `mutation { setWebhookEndpointEnabled(id: "${id}", enabled: false) { id } }`,
  ],
  rotateWebhookSecret: ['webhooks:manage', `mutation { rotateWebhookSecret(id: "${id}") { secret } }`],
  resendWebhookDelivery: ['webhooks:resend', `mutation { resendWebhookDelivery(id: "${id}") { id } }`],
  resendWebhookDeliveriesSince: [
    'webhooks:resend',
    `mutation { resendWebhookDeliveriesSince(endpointId: "${id}", since: "2026-01-01T00:00:00Z") }`,
  ],
  keptRequests: ['keys:read', '{ keptRequests { at } }'],
  apiKeys: ['keys:read', '{ apiKeys { id } }'],
  createApiKey: ['test-keys:manage', 'mutation { createApiKey(input: {}) { key } }'],
  updateApiKey: ['keys:read', `mutation { updateApiKey(id: "${id}", input: {}) { id } }`],
  rotateApiKey: ['keys:read', `mutation { rotateApiKey(id: "${id}") { key } }`],
  revokeApiKey: ['keys:read', `mutation { revokeApiKey(id: "${id}") { id } }`],
  credentials: ['credentials:read', '{ credentials { id } }'],
  providers: ['credentials:read', '{ providers }'],
  providerSettings: ['credentials:read', '{ providerSettings { provider } }'],
  createCredential: [
    'credentials:manage',
    'mutation { createCredential(input: { provider: "woovi", name: "x", settings: {} }) { id } }',
  ],
  credentialRemoval: ['credentials:manage', `{ credentialRemoval(id: "${id}") { isUsed } }`],
  removeCredential: ['credentials:manage', `mutation { removeCredential(id: "${id}") }`],
  restoreCredential: ['credentials:manage', `mutation { restoreCredential(id: "${id}") { id } }`],
  credentialSettings: ['credentials:manage', `{ credentialSettings(id: "${id}") { name } }`],
  credentialSettingNames: ['credentials:manage', `{ credentialSettingNames(id: "${id}") }`],
  credentialUnreadableResponses: [
    'credentials:manage',
    `{ credentialUnreadableResponses(id: "${id}") { id } }`,
  ],
  updateCredential: [
    'credentials:manage',
    `mutation { updateCredential(id: "${id}", input: { name: "x" }) { id } }`,
  ],
  setCredentialEnabled: [
    'credentials:manage',
    `mutation { setCredentialEnabled(id: "${id}", enabled: true) { id } }`,
  ],
  setDefaultCredential: ['credentials:manage', `mutation { setDefaultCredential(id: "${id}") { id } }`],
  setDefaultFallbacks: ['credentials:manage', 'mutation { setDefaultFallbacks(ids: []) }'],
  divertCredential: ['credentials:manage', `mutation { divertCredential(id: "${id}", to: "${id}") }`],
  endCredentialDiversion: ['credentials:manage', `mutation { endCredentialDiversion(id: "${id}") }`],
  registerCredentialWebhook: [
    'credentials:manage',
    `mutation { registerCredentialWebhook(id: "${id}") { outcome } }`,
  ],
  checkCredential: ['credentials:manage', `mutation { checkCredential(id: "${id}") { ok } }`],
  alertPreferences: ['health:read', '{ alertPreferences { kinds } }'],
  setAlertPreferences: [
    'health:read',
    'mutation { setAlertPreferences(input: { kinds: [], language: en }) { kinds } }',
  ],
  attention: ['health:read', '{ attention { kind } }'],
  alerts: ['health:read', '{ alerts { kind } }'],
  providerHealth: ['health:read', '{ providerHealth { name } }'],
  providerCalls: ['health:read', `{ providerCalls(id: "${id}", window: hour) { calls } }`],
  ruleSets: ['rule-sets:read', '{ ruleSets { id } }'],
  explainRuleSet: ['rule-sets:read', `{ explainRuleSet(id: "${id}", amount: 1) { provider } }`],
  simulateRouting: [
    'rule-sets:read',
    '{ simulateRouting(rules: { ranges: [] }, from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z") { payments } }',
  ],
  createRuleSet: [
    'rule-sets:manage',
    'mutation { createRuleSet(input: { name: "x", ranges: [] }) { id findings } }',
  ],
  setDefaultRuleSet: ['rule-sets:manage', `mutation { setDefaultRuleSet(id: "${id}") }`],
  clearDefaultRuleSet: ['rule-sets:manage', 'mutation { clearDefaultRuleSet }'],
  ruleSetUse: ['rule-sets:manage', `{ ruleSetUse(id: "${id}") { paymentLinkCount } }`],
  deleteRuleSet: ['rule-sets:manage', `mutation { deleteRuleSet(id: "${id}") }`],
  updateRuleSet: [
    'rule-sets:manage',
    `mutation { updateRuleSet(id: "${id}", input: { name: "x", ranges: [] }) { id } }`,
  ],
  members: ['members:read', '{ members { userId } }'],
  inviteMember: ['members:manage', 'mutation { inviteMember(email: "x", name: "x", role: viewer) { url } }'],
  invitations: ['members:manage', '{ invitations { id } }'],
  revokeInvitation: ['members:manage', `mutation { revokeInvitation(id: "${id}") }`],
  setMemberRole: ['members:manage', `mutation { setMemberRole(userId: "${id}", role: viewer) { userId } }`],
  removeMember: ['members:manage', `mutation { removeMember(userId: "${id}") }`],
  approvalRequests: ['approvals:read', '{ approvalRequests { edges { cursor } } }'],
  approvalRequest: ['approvals:read', `{ approvalRequest(id: "${id}") { id } }`],
  pendingApprovalCount: ['approvals:read', '{ pendingApprovalCount }'],
  approveRequest: ['approvals:decide', `mutation { approveRequest(id: "${id}") { secret } }`],
  rejectRequest: ['approvals:decide', `mutation { rejectRequest(id: "${id}", reason: "x") { id } }`],
  withdrawRequest: ['approvals:decide', `mutation { withdrawRequest(id: "${id}") { id } }`],
  organizationSettings: ['settings:read', '{ organizationSettings { changesNeedApproval } }'],
  updateOrganizationSettings: [
    'settings:manage',
    'mutation { updateOrganizationSettings(input: {}) { changesNeedApproval } }',
  ],
  organizationProfile: ['settings:read', '{ organizationProfile { name } }'],
  updateOrganizationProfile: [
    'settings:manage',
    'mutation { updateOrganizationProfile(input: {}) { name } }',
  ],
  setOrganizationLogo: ['settings:manage', 'mutation { setOrganizationLogo(image: "") { name } }'],
  removeOrganizationLogo: ['settings:manage', 'mutation { removeOrganizationLogo { name } }'],
  renameOrganization: ['settings:manage', 'mutation { renameOrganization(name: "") }'],
  books: ['books:read', '{ books { edges { cursor } } }'],
  differences: ['books:read', '{ differences { edges { cursor } } }'],
  openDifferences: ['books:read', '{ openDifferences { count } }'],
  fetchBooks: ['books:fetch', 'mutation { fetchBooks(date: "2020-01-01") { date } }'],
  settleDifference: [
    'books:settle',
    `mutation { settleDifference(input: { id: "${id}", resolution: explained, reason: "x" }) { id } }`,
  ],
  settleDifferences: [
    'books:settle',
    `mutation { settleDifferences(input: { ids: ["${id}"], resolution: explained, reason: "x" }) { id } }`,
  ],
  reopenDifference: ['books:settle', `mutation { reopenDifference(id: "${id}", reason: "x") { id } }`],
  auditLog: ['audit:read', '{ auditLog { edges { cursor } } }'],
};

const isRefused = async (client: Client, text: string): Promise<boolean> => {
  const { status, body } = await client.graphql(text);
  expect(status).toBe(200);
  const codes = (body.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code);
  expect(codes).not.toContain('INTERNAL_SERVER_ERROR');
  return codes.includes('FORBIDDEN');
};

test('every operation is in the table', () => {
  const schema = buildGraphqlSchema();
  const names = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
  expect(Object.keys(operations).sort()).toEqual(names.sort());
});

test('every action is a row that someone may perform', () => {
  for (const { people, keys } of Object.values(rules))
    expect(people.length > 0 || keys !== 'never').toBe(true);
  expect(roleMay('viewer', 'payers:read')).toBe(false);
  expect(roleMay('developer', 'live-keys:manage')).toBe(false);
});

test.each(Object.entries(operations))(
  '%s is refused unless its action is allowed to the role or the key, and to an owner with an initial password if it needs any',
  async (_name, [action, text]) => {
    const asked = Object.entries({ ...clients, newcomer, key });
    const answers = await Promise.all(
      asked.map(async ([who, client]) => [who, await isRefused(client, text)] as const),
    );
    expect(Object.fromEntries(answers)).toEqual({
      ...Object.fromEntries(roles.map((role) => [role, action !== null && !roleMay(role, action)])),
      newcomer: action !== null,
      key: action === null || rules[action].keys === 'never',
    });
  },
);

describe('live keys', () => {
  const create = 'mutation { createApiKey(input: {}) { apiKey { id mode } } }';
  const revoke = 'mutation ($id: ID!) { revokeApiKey(id: $id) { revokedAt } }';

  test('are created and revoked by owners only, whichever mode they are in', async () => {
    const made = await clients.owner.graphql(create, {}, { 'X-Mode': 'live' });
    const { apiKey } = made.body.data.createApiKey;
    expect(apiKey.mode).toBe('live');
    for (const mode of ['test', 'live']) {
      const { body } = await clients.developer.graphql(revoke, apiKey, { 'X-Mode': mode });
      expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
    }
    const refused = await clients.developer.graphql(create, {}, { 'X-Mode': 'live' });
    expect(refused.body.errors[0].extensions.code).toBe('FORBIDDEN');
    const revoked = await clients.owner.graphql(revoke, apiKey);
    expect(revoked.body.data.revokeApiKey.revokedAt).toEqual(expect.any(String));
  });

  test('are the only way to a live payment', async () => {
    const text = 'mutation { createTestPayment(input: { amount: 1 }) { id } }';
    const { body } = await clients.owner.graphql(text, {}, { 'X-Mode': 'live' });
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
  });
});
