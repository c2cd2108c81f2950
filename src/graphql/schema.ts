import 'reflect-metadata';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { ApiKeyResolver } from './api-keys.ts';
import { AuditResolver } from './audit.ts';
import { CredentialResolver } from './credentials.ts';
import { EventResolver } from './events.ts';
import { InvestigationResolver } from './investigation.ts';
import { MemberResolver } from './members.ts';
import { PaymentResolver } from './payments.ts';
import { RuleSetResolver } from './rule-sets.ts';
import { SandboxResolver } from './sandbox.ts';
import { WebhookResolver } from './webhooks.ts';

export const buildGraphqlSchema = (): GraphQLSchema =>
  buildSchemaSync({
    resolvers: [
      PaymentResolver,
      EventResolver,
      WebhookResolver,
      SandboxResolver,
      InvestigationResolver,
      ApiKeyResolver,
      CredentialResolver,
      RuleSetResolver,
      MemberResolver,
      AuditResolver,
    ],
    validate: false,
  });

/** What schema.graphql holds. */
export const printGraphqlSchema = (): string =>
  `${printSchema(lexicographicSortSchema(buildGraphqlSchema()))}\n`;
