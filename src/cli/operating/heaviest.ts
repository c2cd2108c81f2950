import type { Command } from 'commander';
import { print } from '#cli/base/print.js';
import type { Session } from '../base/session.ts';

const line = /^pix_heaviest_organizations\{burden="(\w+)",organization="([\w-]+)"\} (\S+)$/gm;

async function readMetrics(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  return response.text();
}

export function addHeaviestCommand(program: Command, { withServices }: Session): void {
  program
    .command('heaviest')
    .description(
      'organizations that took most of the nodes in the last whole minute, ten of each node and burden',
    )
    .requiredOption('--metrics <urls...>', 'metrics of the nodes, such as http://10.0.0.5:9464/metrics')
    .action(async ({ metrics }: { metrics: string[] }, command: Command) => {
      const texts = await Promise.all(metrics.map(readMetrics));
      const sums = new Map<string, { burden: string; organizationId: string; amount: number }>();
      for (const [, burden = '', organizationId = '', amount] of texts.join('\n').matchAll(line)) {
        const name = `${burden} ${organizationId}`;
        const sum = sums.get(name) ?? { burden, organizationId, amount: 0 };
        sums.set(name, { ...sum, amount: sum.amount + Number(amount) });
      }
      const heaviest = [...sums.values()].sort(
        (a, b) => a.burden.localeCompare(b.burden) || b.amount - a.amount,
      );
      const named = await withServices(({ organizations }) =>
        Promise.all(
          heaviest.map(async (each) => ({
            ...each,
            name: (await organizations.get(each.organizationId)).name,
          })),
        ),
      );
      print(command, named);
    });
}
