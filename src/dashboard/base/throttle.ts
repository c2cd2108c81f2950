const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Runs at once on the first trigger, then at most once per the pause that the last run returned, in milliseconds.
 * Runs never overlap; triggers during a run or its pause, and `rerun`, are merged into one more run.
 */
export function throttle(run: (rerun: () => void) => Promise<number>) {
  let isRunning = false;
  let isPending = false;
  let isStopped = false;
  const rerun = () => {
    isPending = true;
  };
  const trigger = async () => {
    rerun();
    if (isRunning) return;
    isRunning = true;
    while (isPending && !isStopped) {
      isPending = false;
      await delay(await run(rerun));
    }
    isRunning = false;
  };
  return {
    trigger: () => void trigger(),
    stop: () => {
      isStopped = true;
    },
  };
}
