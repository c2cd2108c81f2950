import { expect } from '@jest/globals';
import { statusOfCode } from '../../src/transport/error-body.ts';
import type { Answer } from './client.ts';

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Exactly the members that the specification gives an error of this status, and the headers of every answer. */
export function expectError({ status, headers, body }: Answer, statusCode: number, error: string): void {
  expect({ status, body }).toEqual({
    status: statusCode,
    body: {
      statusCode,
      error,
      message: expect.stringMatching(/./),
      timestamp: expect.stringMatching(isoInstant),
      ...(statusCode === 500 && { traceId: headers.get('x-trace-id') }),
      ...(statusCode === 404 && { details: { resource: expect.any(String), id: expect.any(String) } }),
    },
  });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
  expect(Object.entries(statusOfCode)).toContainEqual([headers.get('x-error-code'), statusCode]);
}
