import { lazy } from 'react';

/** Brings its QR code along: only those who set it up load it. */
export const TwoStep = lazy(() =>
  import('./two-step.tsx').then(({ TwoStep: component }) => ({ default: component })),
);
