import { jest } from '@jest/globals';

// A machine that is busy for a moment must not fail a run. What failed first is printed, and is a defect to mend.
if (!process.env.LONG) jest.retryTimes(1, { logErrorsBeforeRetry: true });
