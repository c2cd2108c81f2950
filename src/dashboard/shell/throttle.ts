const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Runs when it is asked to: at once, then only after the pause that the run before answered, in milliseconds, and
 * never twice at a time. What is asked for meanwhile, also by `again`, is done in one more run.
 */
export function calmly(run: (again: () => void) => Promise<number>) {
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
      await delay(await run(again));
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
