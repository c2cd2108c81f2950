import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { engineEnv } from '../support/engine-programs.ts';
import { describeWith } from '../support/engines.ts';

const cwd = resolve(import.meta.dirname, '../../deploy/prometheus');

describeWith(['promtool'], 'the alerts for Prometheus', () => {
  test('fire for what is wrong, and for nothing else', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
      cwd,
      env: engineEnv,
      encoding: 'utf8',
    });
    expect(`${stdout}${stderr}`).not.toContain('FAILED');
    expect(status).toBe(0);
  });
});
