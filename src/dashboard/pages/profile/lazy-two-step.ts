import { lazy } from 'react';

/** With its QR code: only those who set it up load it. */
export const TwoStep = lazy(() =>
  import('./two-step.tsx').then(({ TwoStep: component }) => ({ default: component })),
);
