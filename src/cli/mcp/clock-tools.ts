import { z } from 'zod';
import { advanceClockSchema } from '../../core/clock/rules/advance.ts';
import type { ServiceClient } from './service-client.ts';
import { defineTool } from './tool.ts';

const address = 'v1/sandbox/clock';

/** What an assistant can do with the clock of test mode. The service refuses live keys. */
export const clockTools = (client: ServiceClient) => ({
  get_test_clock: defineTool({
    title: 'Read the test clock',
    description: 'Returns the time by which test payments expire and fall due. Only for test keys.',
    input: z.strictObject({}),
    annotations: { readOnlyHint: true },
    run: () => client.get(address),
  }),
  advance_test_clock: defineTool({
    title: 'Move the test clock forward',
    description:
      'Moves the time of all test payments forward, by advance or to an instant. What falls due on the way happens before the response, and stays. Only for test keys.',
    input: advanceClockSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    run: (input) => client.post(address, input),
  }),
  reset_test_clock: defineTool({
    title: 'Return the test clock to real time',
    description: 'Test payments go by real time again; what has happened stays. Only for test keys.',
    input: z.strictObject({}),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    run: () => client.delete(address),
  }),
});
