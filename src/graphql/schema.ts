import 'reflect-metadata';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { PaymentResolver } from './payments.ts';

export const buildGraphqlSchema = (): GraphQLSchema =>
  buildSchemaSync({ resolvers: [PaymentResolver], validate: false });

/** What schema.graphql holds. */
export const printGraphqlSchema = (): string =>
  `${printSchema(lexicographicSortSchema(buildGraphqlSchema()))}\n`;
