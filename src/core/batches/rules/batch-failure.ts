import type { ServiceError } from '../../base/errors.ts';
import type { Problem } from '../../base/problems/rules.ts';

interface BatchFailure {
  errorCode: string;
  error: string;
  problems: readonly Problem[] | null;
}

/** Why a payment of a batch was not created. */
export const failureOf = ({ code, message, context }: ServiceError): BatchFailure => ({
  errorCode: code,
  error: message,
  problems: context.problems ?? null,
});
