import 'reflect-metadata';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { EventResolver } from './events.ts';
import { PaymentResolver } from './payments.ts';
import { WebhookResolver } from './webhooks.ts';

export const buildGraphqlSchema = (): GraphQLSchema =>
  buildSchemaSync({ resolvers: [PaymentResolver, EventResolver, WebhookResolver], validate: false });

/** What schema.graphql holds. */
export const printGraphqlSchema = (): string =>
  `${printSchema(lexicographicSortSchema(buildGraphqlSchema()))}\n`;
