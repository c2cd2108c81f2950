const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Runs when it is asked to: at once, then at most once in `calmMs`, and never twice at a time.
 * What is asked for meanwhile, also by `again`, is done in one more run.
 */
export function calmly(run: (again: () => void) => Promise<void>, calmMs: number) {
  let isRunning = false;
  let isAsked = false;
  let isStopped = false;
  const again = () => {
    isAsked = true;
  };
  const ask = async () => {
    again();
    if (isRunning) return;
    isRunning = true;
    while (isAsked && !isStopped) {
      isAsked = false;
      await Promise.all([run(again), delay(calmMs)]);
    }
    isRunning = false;
  };
  return {
    ask: () => void ask(),
    stop: () => {
      isStopped = true;
    },
  };
}
