import 'reflect-metadata';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { ApiKeyResolver } from './api-keys.ts';
import { ApprovalResolver } from './approvals.ts';
import { AuditResolver } from './audit.ts';
import { CredentialResolver } from './credentials.ts';
import { EventResolver, PaymentSnapshotResolver } from './events.ts';
import { LivePaymentResolver } from './live-payments.ts';
import { PaymentTokenResolver } from './payment-tokens.ts';
import { InvestigationResolver } from './investigation.ts';
import { MemberResolver } from './members.ts';
import { OrganizationSettingsResolver } from './organization-settings.ts';
import { PaymentResolver } from './payments.ts';
import { RuleSetResolver } from './rule-sets.ts';
import { SandboxResolver } from './sandbox.ts';
import { WebhookResolver } from './webhooks.ts';

const notUsed = (): never => {
  throw new Error('a subscription has no source of its own');
};

/** type-graphql asks for one, though every subscription has a source of its own. */
const noPubSub = { publish: notUsed, subscribe: notUsed };

export const buildGraphqlSchema = (): GraphQLSchema =>
  buildSchemaSync({
    resolvers: [
      PaymentResolver,
      PaymentTokenResolver,
      LivePaymentResolver,
      EventResolver,
      PaymentSnapshotResolver,
      WebhookResolver,
      SandboxResolver,
      InvestigationResolver,
      ApiKeyResolver,
      CredentialResolver,
      RuleSetResolver,
      MemberResolver,
      AuditResolver,
      ApprovalResolver,
      OrganizationSettingsResolver,
    ],
    validate: false,
    pubSub: noPubSub,
  });

/** What schema.graphql holds. */
export const printGraphqlSchema = (): string =>
  `${printSchema(lexicographicSortSchema(buildGraphqlSchema()))}\n`;
