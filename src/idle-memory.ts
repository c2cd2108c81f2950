import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

const everyMs = 1_000;
/** Of the event loop. A node that only polls its queues works some 3 % of the time. */
const calm = 0.1;
const calmSeconds = 10;
/** V8 looks every eight seconds whether to collect, and collects twice. */
const savingSeconds = 30;

export interface Heap {
  /** Share of the time since the last call in which the event loop has worked: 0 to 1. */
  utilization(): number;
  saveMemory(isOn: boolean): void;
}

/** Undefined where V8 gives memory back by itself. */
function heapOfProcess(): Heap | undefined {
  if (Number.parseInt(process.versions.node, 10) < 24) return undefined;
  let last = performance.eventLoopUtilization();
  return {
    utilization() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    saveMemory(isOn) {
      setFlagsFromString(isOn ? '--memory-saver-mode' : '--no-memory-saver-mode');
    },
  };
}

/**
 * Has V8 give back what a load made it take. By itself it waits until little is allocated, and since Node 24 what a node allocates
 * that only polls its queues is not little. The mode slows a load down: it is on for a while after one, and never during one.
 */
export function giveMemoryBackWhenCalm(heap = heapOfProcess()): void {
  if (!heap) return;
  let quiet = 0;
  let isSaving = false;
  const look = () => {
    quiet = heap.utilization() < calm ? quiet + 1 : 0;
    const isDue = quiet >= calmSeconds && quiet < calmSeconds + savingSeconds;
    if (isDue !== isSaving) heap.saveMemory(isDue);
    isSaving = isDue;
  };
  setInterval(look, everyMs).unref();
}
