import { operatorFor } from '../../../src/core/base/caller.ts';
import type { TestApp } from '../app.ts';
import { createPerson, personalClient, signIn, type TestPerson } from '../people.ts';
import { family, largestAmount, longAddress, longPath, rightToLeft, unbroken } from './hostile-texts.ts';

/** Asked for by a second owner, and waiting for the first; one was rejected. */
export async function addRequests(
  app: TestApp,
  organizationId: string,
  { paymentId, credentialId, ruleSetId }: { paymentId: string; credentialId: string; ruleSetId: string },
): Promise<TestPerson> {
  const person = await createPerson(app, { organizationId });
  const client = personalClient(app, await signIn(app, person), { organizationId, mode: 'live' });
  await app.services.organizationSettings.update(operatorFor(organizationId), {
    changesNeedApproval: true,
    refundApprovalAbove: 50,
    refundLimits: [{ role: 'support', amountPerDay: largestAmount }],
  });
  const range = `{from: 12345678.9, to: ${largestAmount}, credentialId: "${credentialId}"}`;
  const ask = (operation: string) => client.graphql(`mutation { ${operation} }`);
  await ask(`createRuleSet(input: {name: "${rightToLeft}", ranges: [${range}]}) { id }`);
  const { data } = await app.services.approvals.list(operatorFor(organizationId), {
    pendingOnly: true,
    limit: 1,
    cursor: undefined,
  });
  await app.services.approvals.reject(operatorFor(organizationId), data[0]?.id ?? '', unbroken(500));
  const waiting = [
    `createRuleSet(input: {name: "${unbroken(120)}", ranges: [${range}], defaultCredentialId: "${credentialId}"}) { id }`,
    `updateRuleSet(id: "${ruleSetId}", input: {name: "${family}", ranges: [${range}]}) { id }`,
    `inviteMember(email: "${longAddress('donos')}", name: "${family} ${unbroken(90)}", role: owner) { url }`,
    `createWebhookEndpoint(input: {url: "https://shop.example.com${longPath}"}) { secret }`,
    `refundPayment(id: "${paymentId}", reason: "${unbroken(247)}") { id }`,
    'updateOrganizationSettings(input: {changesNeedApproval: false, refundApprovalAbove: 9999999999.99}) { refundApprovalAbove }',
  ];
  for (const operation of waiting) await ask(operation);
  return person;
}
