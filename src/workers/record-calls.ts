import type { CallRecorder } from '../services/health/call-recorder.ts';
import type { Worker } from './loop.ts';

/** Stores what the calls of this node to providers have shown. */
export const recordCalls = (recorder: CallRecorder): Worker => ({
  async runOnce() {
    await recorder.flush();
    return 0;
  },
});
