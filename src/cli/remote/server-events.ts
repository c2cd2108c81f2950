export interface ServerEvent {
  event: string;
  data: string;
}

/** Services send something every twelve seconds. */
const silentMs = 40_000;

function parseEvent(text: string): ServerEvent {
  const members = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [name = '', ...value] = line.split(': ');
    members.set(name, value.join(': '));
  }
  return { event: members.get('event') ?? 'message', data: members.get('data') ?? '' };
}

/** Yields the events of a response until it ends. Fails when it breaks off or goes silent. */
export async function* readServerEvents(response: Response): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let isSilent = false;
  const timer = setTimeout(() => {
    isSilent = true;
    void reader?.cancel().catch(() => undefined);
  }, silentMs);
  try {
    let text = '';
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      timer.refresh();
      const events = (text + chunk.value).split('\n\n');
      text = events.pop() ?? '';
      // A line that begins with a colon keeps the connection alive.
      for (const event of events) if (!event.startsWith(':')) yield parseEvent(event);
    }
    if (isSilent) throw new Error(`nothing was received for ${silentMs / 1_000} seconds`);
  } finally {
    clearTimeout(timer);
    await reader?.cancel().catch(() => undefined);
  }
}
