/** Runs until Ctrl-C or a SIGTERM, of which it is told by the signal. */
export async function untilStopped(
  work: (signal: AbortSignal, stop: () => void) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await work(stopping.signal, stop);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Whoever reads the output has seen enough, such as `head -1`: what lasts is stopped, and all else ends by itself. */
export function stopWithoutReader(): void {
  for (const output of [process.stdout, process.stderr])
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.emit('SIGINT');
    });
}
