import { jest } from '@jest/globals';

// Only in CI, where a machine that is busy for a moment must not stop a merge; `retried.js` counts what failed first.
if (process.env['CI'] && !process.env['LONG']) jest.retryTimes(1, { logErrorsBeforeRetry: true });
