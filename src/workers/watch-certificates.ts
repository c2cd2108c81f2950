import type { CertificateWatch } from '../core/providers/certificate-watch.ts';
import type { Worker } from './loop.ts';

const batch = 100;

/** Reads client certificates once a day, and reports when they expire. */
export const watchCertificates = (watch: CertificateWatch): Worker => ({
  async runOnce() {
    const done = await watch.checkDue(batch);
    if (done === 0) await watch.measure();
    return done;
  },
});
