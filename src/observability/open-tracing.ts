import type { Logger } from './logger.ts';
import { noTracing, type Tracing, type TracingOptions } from './tracing.ts';

/** The SDK is loaded only if it is used. */
export async function openTracing(options: TracingOptions | undefined, logger: Logger): Promise<Tracing> {
  if (!options) return noTracing;
  const { exportTraces } = await import('./export-traces.ts');
  return exportTraces(options, logger);
}
