import { createInterface } from 'node:readline';

// The Model Context Protocol over stdio (https://modelcontextprotocol.io/specification): JSON-RPC 2.0, a message a line.

/** Newest first. */
const protocolVersions = ['2025-06-18', '2025-03-26', '2024-11-05'];

type Id = string | number;

interface Message {
  jsonrpc: '2.0';
  id?: Id;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string };
}

const codes = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
} as const;

/** Refuses a request with a code of JSON-RPC. */
export class ProtocolError extends Error {
  readonly code: number;

  constructor(kind: keyof typeof codes, message: string) {
    super(message);
    this.code = codes[kind];
  }
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: object;
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
}

export interface ToolResult {
  content: { type: 'text'; text: string }[];
  isError?: boolean;
}

/** Asks the person at the client; undefined if their client cannot. */
export type AskPerson = (question: string) => Promise<boolean | undefined>;

interface Server {
  info: { name: string; title: string; version: string };
  instructions: string;
  tools: readonly Tool[];
  /** Throws ProtocolError for an unknown tool. */
  call(name: string, input: unknown, ask: AskPerson): Promise<ToolResult>;
}

interface Streams {
  input: NodeJS.ReadableStream;
  write(text: string): unknown;
}

function parseLine(line: string): Message {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    throw new ProtocolError('parse', 'a message must be a line of JSON');
  }
  if (typeof message !== 'object' || message === null || (message as Message).jsonrpc !== '2.0') {
    throw new ProtocolError('request', 'a message must be an object of JSON-RPC 2.0');
  }
  return message as Message;
}

/** Resolves once the client has closed its end and has the responses to all its requests. */
export async function serveProtocol(server: Server, { input, write }: Streams): Promise<void> {
  const send = (message: Omit<Message, 'jsonrpc'>) =>
    void write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const openQuestions = new Map<Id, (message: Message) => void>();
  let canAsk = false;
  let questionCount = 0;

  const ask: AskPerson = async (question) => {
    if (!canAsk) return undefined;
    questionCount += 1;
    const id = `ask-${questionCount}`;
    const answered = new Promise<Message>((resolve) => openQuestions.set(id, resolve));
    const requestedSchema = { type: 'object', properties: {} };
    send({ id, method: 'elicitation/create', params: { message: question, requestedSchema } });
    const { result } = await answered;
    return (result as { action?: unknown } | undefined)?.action === 'accept';
  };

  function initialize(params: Record<string, unknown>): object {
    const wanted = params['protocolVersion'];
    const { elicitation } = (params['capabilities'] ?? {}) as { elicitation?: object };
    canAsk = elicitation !== undefined;
    return {
      protocolVersion: protocolVersions.find((version) => version === wanted) ?? protocolVersions[0],
      capabilities: { tools: {} },
      serverInfo: server.info,
      instructions: server.instructions,
    };
  }

  async function respond(method: string, params: Record<string, unknown>): Promise<unknown> {
    switch (method) {
      case 'initialize':
        return initialize(params);
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: server.tools };
      case 'tools/call':
        return server.call(String(params['name']), params['arguments'] ?? {}, ask);
      default:
        throw new ProtocolError('method', `there is no method ${method}`);
    }
  }

  async function handle(line: string): Promise<void> {
    let id: Id | undefined;
    try {
      const message = parseLine(line);
      ({ id } = message);
      if (message.method === undefined) {
        if (id !== undefined) openQuestions.get(id)?.(message);
        return;
      }
      const result = await respond(message.method, message.params ?? {});
      if (id !== undefined) send({ id, result });
    } catch (error) {
      const code = error instanceof ProtocolError ? error.code : codes.internal;
      // Notifications are never answered, not even wrong ones; a line that cannot be read has no id.
      if (id !== undefined || code === codes.parse || code === codes.request)
        send({ ...(id !== undefined && { id }), error: { code, message: (error as Error).message } });
    }
  }

  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    const handled = handle(line).finally(() => running.delete(handled));
    running.add(handled);
  }
  // Nobody is left to answer the open questions.
  for (const answer of openQuestions.values()) answer({ jsonrpc: '2.0' });
  await Promise.all(running);
}
