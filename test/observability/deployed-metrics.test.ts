import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { createMetrics } from '../../src/observability/metrics.ts';

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8');

const alerts = read('deploy/prometheus/alerts.yml');
const alertNames = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

let names: Set<string>;

beforeAll(async () => {
  const text = await createMetrics().text();
  const typed = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  names = new Set(
    typed.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    ),
  );
});

const unknownIn = (queries: string) =>
  [...queries.matchAll(/\b(?:pix|process|nodejs)_\w+/g)]
    .map(([name]) => name)
    .filter((name) => !names.has(name));

test('alerts and boards name metrics that exist', () => {
  const board = JSON.parse(read('deploy/grafana/pix.json')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  const queries = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(10);
  expect(unknownIn(queries.join('\n'))).toEqual([]);
  const expressions = alerts.replace(/^\s*#.*|summary:.*/gm, '');
  expect(unknownIn(expressions)).toEqual([]);
  expect(unknownIn('pix_no_such_metric')).toEqual(['pix_no_such_metric']);
});

test('each alert is tested, and explained to whoever it wakes', () => {
  const tests = read('deploy/prometheus/alerts.test.yml');
  const explained = [...read('docs/alerts.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(explained).toEqual(alertNames);
  for (const name of alertNames) expect(tests).toMatch(new RegExp(`alertname: ${name}\\n\\s+exp_alerts`));
});
