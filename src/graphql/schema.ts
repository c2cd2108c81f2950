import 'reflect-metadata';
import {
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { ApiKeyResolver } from './people/api-keys.ts';
import { ApprovalResolver } from './people/approvals.ts';
import { AuditResolver } from './people/audit.ts';
import { BookResolver } from './books/books.ts';
import { CredentialRouteResolver } from './providers/credential-routes.ts';
import { CredentialResolver } from './providers/credentials.ts';
import { EventResolver, PaymentSnapshotResolver } from './payments/events.ts';
import { LivePaymentResolver } from './payments/live-payments.ts';
import { PaymentTokenResolver } from './payments/payment-tokens.ts';
import { ForgetPersonResolver } from './payments/forget-person.ts';
import { PaymentBatchResolver } from './batches/batches.ts';
import { DisputedPaymentResolver, DisputeResolver } from './disputes/disputes.ts';
import { DebitListResolver } from './recurrences/debit-lists.ts';
import { LiveRecurrenceResolver } from './recurrences/live-recurrences.ts';
import { RecurrenceResolver } from './recurrences/recurrences.ts';
import { PaymentLinkResolver } from './payment-links/payment-links.ts';
import { ReceiptResolver } from './books/receipts.ts';
import { InvestigationResolver } from './investigation/investigation.ts';
import { NodeResolver } from './nodes.ts';
import { MemberResolver } from './people/members.ts';
import { OrganizationProfileResolver } from './people/organization-profile.ts';
import { OrganizationSettingsResolver } from './people/organization-settings.ts';
import { PaymentResolver } from './payments/payments.ts';
import { RefundResolver } from './refunds/refunds.ts';
import { AlertPreferencesResolver } from './health/alert-preferences.ts';
import { AttentionResolver } from './health/attention.ts';
import { ProviderHealthResolver } from './health/provider-health.ts';
import { KeptRequestResolver } from './requests/kept-requests.ts';
import { RequestStreamResolver } from './requests/request-stream.ts';
import { RuleSetResolver } from './providers/rule-sets.ts';
import { SandboxResolver } from './payments/sandbox.ts';
import { SavedViewResolver } from './payments/saved-views.ts';
import { SessionResolver } from './people/sessions.ts';
import { WebhookResolver } from './webhooks/webhooks.ts';

const notUsed = (): never => {
  throw new Error('a subscription lacks its own source');
};

/** Required by type-graphql, although every subscription has its own source. */
const noPubSub = { publish: notUsed, subscribe: notUsed };

export const buildGraphqlSchema = (): GraphQLSchema =>
  buildSchemaSync({
    resolvers: [
      NodeResolver,
      PaymentResolver,
      RefundResolver,
      PaymentTokenResolver,
      PaymentLinkResolver,
      PaymentBatchResolver,
      RecurrenceResolver,
      DebitListResolver,
      DisputedPaymentResolver,
      DisputeResolver,
      LivePaymentResolver,
      LiveRecurrenceResolver,
      KeptRequestResolver,
      RequestStreamResolver,
      EventResolver,
      PaymentSnapshotResolver,
      WebhookResolver,
      SandboxResolver,
      InvestigationResolver,
      ReceiptResolver,
      SavedViewResolver,
      ForgetPersonResolver,
      ApiKeyResolver,
      CredentialResolver,
      CredentialRouteResolver,
      ProviderHealthResolver,
      AttentionResolver,
      AlertPreferencesResolver,
      RuleSetResolver,
      MemberResolver,
      SessionResolver,
      AuditResolver,
      ApprovalResolver,
      BookResolver,
      OrganizationSettingsResolver,
      OrganizationProfileResolver,
    ],
    validate: false,
    pubSub: noPubSub,
    // A finding would be our own mistake, and a test compares the schema with schema.graphql.
    skipCheck: true,
  });

/** All names of fields, arguments and input members. */
export function namesOf(schema: GraphQLSchema): Set<string> {
  const names = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      names.add(field.name);
      if ('args' in field) for (const { name } of field.args) names.add(name);
    }
  }
  return names;
}

/** The content of schema.graphql. */
export const printGraphqlSchema = (): string =>
  `${printSchema(lexicographicSortSchema(buildGraphqlSchema()))}\n`;
