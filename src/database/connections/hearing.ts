interface Dependencies {
  /** Notifies the channel that this process listens to. */
  speak(): Promise<unknown>;
  /** Looks for what a notification would have told. */
  look(): void;
  onDeaf(): void;
  onHearing(): void;
}

const checkEveryMs = 15_000;
const patienceMs = 3_000;
const lookEveryMs = 500;

/**
 * Checks that this process hears its own notifications, and looks by itself while it does not. LISTEN through a pooler, or in
 * another database, succeeds but never hears anything.
 */
export function createHearing({ speak, look, onDeaf, onHearing }: Dependencies) {
  let isWaiting = false;
  let patience: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let checking: NodeJS.Timeout | undefined;

  function giveUp(): void {
    isWaiting = false;
    if (looking) return;
    looking = setInterval(look, lookEveryMs).unref();
    onDeaf();
  }

  function check(): void {
    if (isWaiting) return;
    isWaiting = true;
    speak().then(
      () => {
        if (isWaiting) patience = setTimeout(giveUp, patienceMs).unref();
      },
      // Without the database there is nothing to hear.
      () => {
        isWaiting = false;
      },
    );
  }

  return {
    start(): void {
      checking ??= setInterval(check, checkEveryMs).unref();
      check();
    },
    heard(): void {
      isWaiting = false;
      clearTimeout(patience);
      if (!looking) return;
      clearInterval(looking);
      looking = undefined;
      onHearing();
    },
    stop(): void {
      for (const timer of [patience, looking, checking]) clearInterval(timer);
    },
  };
}
