import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../src/config.ts';
import { longestWaitMs } from '../src/http/checkout/routes.ts';

const deploy = resolve(import.meta.dirname, '../deploy');
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');
const stops = /(?<=STOP_DELAY_SECONDS=)\d+/;

/** Every setting that the service knows, as its sources spell it. */
const settings = ['config', 'settings/store-settings', 'settings/secret-files'].flatMap(
  (name) => readFileSync(join(deploy, `../src/${name}.ts`), 'utf8').match(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/g) ?? [],
);
const isKnown = (name: string): boolean =>
  settings.includes(name.replace(/_FILE$/, '')) || name === 'NODE_EXTRA_CA_CERTS';

const key = `1:${'A'.repeat(43)}=`;

/** What the service says about an environment, once its secrets are where it says. */
const startWith = (env: Record<string, string>) =>
  readConfig({
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.endsWith('_FILE'))),
    NODE_ENV: 'production',
    DATABASE_URL: 'postgresql://pix@postgres/pix?sslmode=verify-full',
    REDIS_URL: 'rediss://redis',
    ENCRYPTION_KEYS: key,
    PUBLIC_URL: 'https://pay.example.com',
  });

interface Service {
  environment?: Record<string, string>;
  secrets?: string[];
  networks: Record<string, { ipv4_address?: string } | undefined>;
  stop_grace_period?: string;
}

test.each([
  ['nginx/pix.conf', /proxy_read_timeout (\d+)s/g],
  ['haproxy/haproxy.cfg', /timeout server (\d+)s/g],
  ['kubernetes/overlays/example/ingress.yaml', /proxy-read-timeout: '(\d+)'/g],
])('%s waits for checkout pages that follow their payment', (file, timeout) => {
  const seconds = [...read(file).matchAll(timeout)].map(([, each]) => Number(each));
  expect(Math.min(...seconds)).toBeGreaterThan(longestWaitMs / 1_000 + 2);
});

describe('deploy/compose.yml', () => {
  const { services, secrets } = parse(read('compose.yml'), { merge: true }) as {
    services: Record<string, Service>;
    secrets: Record<string, { file: string }>;
  };
  const nodes = [services['node-a'], services['node-b']];

  test('gives the nodes settings that exist, and that they accept', () => {
    for (const { environment = {} } of [...nodes, services['migrate']].flatMap((each) => each ?? [])) {
      expect(Object.keys(environment).filter((name) => !isKnown(name))).toEqual([]);
      expect(startWith(environment)).toMatchObject({ trustProxy: 1, migrateAtStart: false });
    }
  });

  test('has a secret for every file that a service is told to read, and creates each', () => {
    const script = read('compose/create-secrets');
    const makes = (name: string): boolean =>
      script.includes(`once ${name}`) || script.includes(`certificate ${name.replace(/\.(pem|key)$/, '')} `);
    for (const { environment = {}, secrets: given = [] } of Object.values(services)) {
      const files = Object.values(environment).flatMap(
        (value) => /^\/run\/secrets\/(.+)/.exec(value)?.[1] ?? [],
      );
      expect(files.filter((name) => !given.includes(name))).toEqual([]);
    }
    const named = Object.keys(secrets);
    expect(named.filter((name) => secrets[name]?.file !== `./secrets/${name}`)).toEqual([]);
    expect(named.filter((name) => name !== 'ca.pem' && !makes(name))).toEqual([]);
  });

  test('lets a node finish, and tells nginx where the nodes are', () => {
    for (const node of nodes) {
      expect(parseInt(node?.stop_grace_period ?? '', 10)).toBeGreaterThan(5 + 30);
      const address = node?.networks['front']?.ipv4_address;
      expect(read('nginx/nodes.conf')).toContain(`server ${address}:3000`);
    }
  });
});

describe('deploy/systemd', () => {
  const units = ['pix-api', 'pix-worker', 'pix-migrate'].map((name) => read(`systemd/${name}.service`));
  const assigned = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/\b([A-Z][A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
    );
  const shared = assigned(read('systemd/environment'));

  test('gives each role settings that exist, and that it accepts', () => {
    expect(Object.keys(shared).filter((name) => name !== 'NODE_ENV' && !isKnown(name))).toEqual([]);
    const configs = units.slice(0, 2).map((unit) => startWith({ ...shared, ...assigned(unit) }));
    expect(configs).toMatchObject([
      { role: 'api', trustProxy: 1, migrateAtStart: false, metricsPort: 9464 },
      { role: 'worker', trustProxy: 1, migrateAtStart: false, metricsPort: 9465 },
    ]);
  });

  test('runs what the image runs, and lets a node finish', () => {
    const entry = /ENTRYPOINT (.*)/.exec(read('Dockerfile'))?.[1] ?? '[]';
    const flags = (JSON.parse(entry) as string[]).slice(1).join(' ');
    for (const unit of units.slice(0, 2)) {
      expect(unit).toContain(`ExecStart=/usr/bin/node ${flags} dist/main.js`);
      expect(Number(/TimeoutStopSec=(\d+)/.exec(unit)?.[1])).toBeGreaterThan(5 + 60);
    }
    const ofImage = /ENV NODE_ENV=production (.*)/.exec(read('Dockerfile'))?.[1];
    expect(read('systemd/pix-.service.d/hardened.conf')).toContain(`Environment=${ofImage}`);
  });
});

type Labels = Record<string, string>;

interface Container {
  envFrom: { configMapRef: { name: string } }[];
  env?: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  resources: { requests: Labels; limits: Labels };
  securityContext: object;
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
}

interface Resource {
  kind: string;
  metadata: { name: string; labels?: Labels };
  spec: {
    selector?: { matchLabels?: Labels } & Labels;
    podSelector?: { matchLabels: Labels };
    scaleTargetRef?: { name: string };
    maxReplicas?: number;
    replicas?: number;
    ports?: { targetPort: string }[];
    template?: {
      metadata: { labels: Labels };
      spec: {
        containers: [Container];
        terminationGracePeriodSeconds?: number;
        securityContext: object;
        automountServiceAccountToken: boolean;
      };
    };
  };
}

describe('deploy/kubernetes', () => {
  const base = 'kubernetes/base';
  const files = readdirSync(join(deploy, base)).filter((name) => name !== 'kustomization.yaml');
  const resources = files.flatMap((file) =>
    parseAllDocuments(read(join(base, file))).map((document) => document.toJS() as Resource),
  );
  const { resources: listed, configMapGenerator } = parse(read(join(base, 'kustomization.yaml'))) as {
    resources: string[];
    configMapGenerator: [{ name: string; literals: string[] }];
  };
  const literals = configMapGenerator[0].literals;
  const env = Object.fromEntries(literals.map((each) => each.split('=') as [string, string]));
  const pods = resources.flatMap(({ kind, metadata, spec }) =>
    spec.template
      ? [{ kind, name: metadata.name, labels: spec.template.metadata.labels, spec: spec.template.spec }]
      : [],
  );
  const matching = (labels: Labels) =>
    pods.filter((pod) => Object.entries(labels).every(([name, value]) => pod.labels[name] === value));

  test('lists its files', () => {
    expect([...listed].sort()).toEqual(files.sort());
    expect(pods.map(({ name }) => name).sort()).toEqual(['pix-api', 'pix-migrate', 'pix-worker']);
  });

  test('gives the nodes settings that exist, and that they accept', () => {
    expect(Object.keys(env).filter((name) => !isKnown(name))).toEqual([]);
    for (const { spec } of pods) {
      const own = Object.fromEntries((spec.containers[0].env ?? []).map(({ name, value }) => [name, value]));
      expect(startWith({ ...env, ...own })).toMatchObject({ migrateAtStart: false, trustProxy: 1 });
      expect(spec.containers[0].envFrom).toEqual([{ configMapRef: { name: configMapGenerator[0].name } }]);
    }
  });

  test('probes ports that the role listens on', () => {
    for (const { spec, name } of pods.filter(({ kind }) => kind === 'Deployment')) {
      const [container] = spec.containers;
      const { role, port, metricsPort } = startWith({ ...env, ROLE: name.replace('pix-', '') });
      const listens = { metrics: metricsPort, ...(role !== 'worker' && { http: port }) };
      expect(
        Object.fromEntries((container.ports ?? []).map((each) => [each.name, each.containerPort])),
      ).toEqual(listens);
      for (const probe of ['startup', 'liveness', 'readiness'] as const) {
        const { path, port: probed } = container[`${probe}Probe`]?.httpGet ?? {};
        expect(Object.keys(listens)).toContain(probed);
        expect(path).toBe(probe === 'readiness' ? '/readyz' : '/healthz');
      }
    }
  });

  test('every selector finds pods, and those of its own name', () => {
    for (const { kind, metadata, spec } of resources) {
      const labels = spec.podSelector?.matchLabels ?? spec.selector?.matchLabels ?? spec.selector;
      if (!labels) continue;
      const found = matching(labels).map(({ name }) => name);
      if (metadata.name !== 'pix') expect([kind, found]).toEqual([kind, [metadata.name]]);
      else expect(found.length).toBeGreaterThan(0);
    }
    const targets = resources.flatMap(({ spec }) => spec.scaleTargetRef?.name ?? []);
    expect(targets).toEqual(['pix-api']);
  });

  test('pods are what the restricted Pod Security Standard demands', () => {
    for (const { spec } of pods) {
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(spec.containers[0].resources.limits).toEqual({ memory: '512Mi' });
    }
  });

  test('a pod has time to finish, and all together have no more connections than PostgreSQL by default', () => {
    const stopDelay = Number(stops.exec(literals.join('\n'))?.[0]);
    let most = 0;
    for (const { spec, name, kind } of pods) {
      if (kind !== 'Deployment') continue;
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(stopDelay + 30);
      const scaler = resources.find((each) => each.spec.scaleTargetRef?.name === name);
      const replicas = resources.find((each) => each.metadata.name === name && each.kind === kind)?.spec
        .replicas;
      most += (scaler?.spec.maxReplicas ?? replicas ?? NaN) + 1;
    }
    expect(most * (startWith(env).databasePoolSize + 5)).toBeLessThanOrEqual(97);
  });
});

test('production installs exactly what the bundle looks for itself', () => {
  const { dependencies } = JSON.parse(read('../package.json')) as { dependencies: Labels };
  const bundle = read('../scripts/bundle.config.mjs');
  const external = /external: \[([^\]]*)\]/.exec(bundle)?.[1]?.match(/(?<=')[^',]+(?=')/g) ?? [];
  // The explorer is for development.
  expect(Object.keys(dependencies).sort()).toEqual(
    external.filter((name) => name !== 'altair-static').sort(),
  );
});

test('every test of an engine runs each night', () => {
  const { jobs } = parse(readFileSync(join(deploy, '../.github/workflows/nightly.yml'), 'utf8')) as {
    jobs: { test: { strategy: { matrix: { include: { run: string }[] } } } };
  };
  const named = jobs.test.strategy.matrix.include.flatMap(
    ({ run }) => run.match(/(?<=^npm run test:engines -- ).+/)?.[0].split(' ') ?? [],
  );
  const files = readdirSync(join(import.meta.dirname, 'engines')).map((file) => file.split('.')[0] ?? '');
  // That has a command of its own.
  expect([...named, 'upgrade'].toSorted()).toEqual(files.toSorted());
});
