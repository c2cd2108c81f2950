import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { describeWith } from '../support/engines.ts';

const overlay = resolve(import.meta.dirname, '../../deploy/kubernetes/overlays/example');

interface Rendered {
  kind: string;
  metadata: { name: string; namespace?: string };
  data?: Record<string, string>;
  spec?: {
    template?: { spec: { containers: [{ image: string; envFrom: [{ configMapRef: { name: string } }] }] } };
  };
}

describeWith(['kubectl'], 'deploy/kubernetes/overlays/example', () => {
  test('is rendered by Kustomize into one namespace, with its image and settings', () => {
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', overlay], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const resources = parseAllDocuments(stdout).map((document) => document.toJS() as Rendered);
    const kinds = resources.map(({ kind }) => kind);
    for (const kind of ['Deployment', 'Job', 'Service', 'Ingress', 'PodDisruptionBudget', 'NetworkPolicy'])
      expect(kinds).toContain(kind);
    const elsewhere = resources.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'pix',
    );
    expect(elsewhere).toEqual([]);
    const settings = resources.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('pix-settings'),
    );
    expect(settings?.data).toMatchObject({
      PUBLIC_URL: 'https://pay.example.com',
      MIGRATE_AT_START: 'false',
    });
    const containers = resources.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
    expect(containers.length).toBe(3);
    for (const { image, envFrom } of containers) {
      expect(image).toBe('registry.example.com/pix-payment-service:1.1.0');
      expect(envFrom[0].configMapRef.name).toBe(settings?.metadata.name);
    }
  });

  test('takes the components for Prometheus and KEDA', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pix-kubernetes-'));
    try {
      cpSync(resolve(overlay, '../..'), folder, { recursive: true });
      const copy = join(folder, 'overlays/example');
      const components = '[../../components/prometheus, ../../components/keda]';
      appendFileSync(join(copy, 'kustomization.yaml'), `components: ${components}\n`);
      const { stdout, stderr } = spawnSync('kubectl', ['kustomize', copy], { encoding: 'utf8' });
      expect(stderr).toBe('');
      const resources = parseAllDocuments(stdout).map((document) => document.toJS() as Rendered);
      expect(resources.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['PodMonitor', 'ScaledObject']),
      );
      const worker = resources.find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'pix-worker',
      );
      expect(worker?.spec).not.toHaveProperty('replicas');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
