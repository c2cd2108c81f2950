/** Folders and files of each project. What is in none of them belongs to `integration`. */
const members = {
  // Neither server nor browser: the sources as they are.
  unit: [
    'br-code',
    'core/base',
    'core/*/rules',
    'network',
    'psp',
    'transport',
    'webhook-client',
    'architecture.test.ts',
    'compatibility.test.ts',
    'dashboard',
    'generated-clients.test.ts',
    'sdk-operations.test.ts',
    'config.test.ts',
    'deploy.test.ts',
    'docs-commands.test.ts',
    'docs-portuguese.test.ts',
    'wordings.test.ts',
    'cli/print.test.ts',
    'core/live/live-sessions.test.ts',
    'core/live/request-feed.test.ts',
    'core/idempotency/send-once.test.ts',
  ],
  // Services, servers and other programs in processes of their own, crashes, upgrades and campaigns: minutes that `npm test` leaves out.
  processes: [
    'processes',
    'cli/conformance.test.ts',
    'cli/credentials-and-rule-sets.test.ts',
    'cli/databases.test.ts',
    'cli/mcp.test.ts',
    'examples',
    'cli/remote.test.ts',
    'packages',
    'cli/webhooks.test.ts',
    'database/connections.test.ts',
    'database/embedded-postgres.test.ts',
    'database/migration-locks.test.ts',
    'core/encryption/encryption.test.ts',
    'core/privacy/forgotten-dump.test.ts',
    'core/encryption/key-rotation.test.ts',
    'core/restore/restore-check.test.ts',
    'core/restore/restore-check-sad.test.ts',
    'core/recurrences/debit-model.test.ts',
    'core/settlement/money-model.test.ts',
  ],
  browser: ['browser'],
  // PostgreSQL, Redis and poolers as they run in production: `npm run test:engines`.
  engines: ['engines'],
  // Suites of others, which `npm run test:conformance` installs.
  conformance: ['conformance'],
};

const matching = (names) =>
  names.map((name) => `<rootDir>/test/${name.endsWith('.ts') ? name : `${name}/**/*.test.ts`}`);

/** Packages that take a tenth of a second to load, which jest would do for each test file. */
const heavy = { commonJs: ['express', 'graphql', 'undici', 'yaml'], esModules: ['graphql-ws', 'zod'] };

const natively = Object.fromEntries(
  Object.entries(heavy).map(([format, names]) => [
    `/node_modules/(${names.join('|')})/`,
    ['./test/support/native-packages.js', { isCommonJs: format === 'commonJs' }],
  ]),
);

const typescript = ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } } }];

const project = (displayName, more) => ({
  displayName,
  roots: ['<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  transformIgnorePatterns: [`/node_modules/(?!(${Object.values(heavy).flat().join('|')})/)`],
  ...more,
});

const unit = project('unit', {
  testMatch: matching(members.unit),
  testEnvironment: './test/support/environment.js',
  transform: { ...natively, '\\.ts$': typescript },
});

/** Whoever needs the one PostgreSQL of the run starts it; tests share the build of the service, loaded by Node itself. */
const withServer = (displayName, more) =>
  project(displayName, {
    testEnvironment: './test/support/native-environment.js',
    globalSetup: './test/support/global-setup.js',
    globalTeardown: './test/support/global-teardown.js',
    transform: {
      ...natively,
      '(?<!/packages/[a-z-]+)/src/(?!.*/test/).+\\.ts$': './test/support/built-modules.js',
      '\\.ts$': typescript,
    },
    ...more,
  });

const elsewhere = Object.values(members).flat();

export default {
  // Of all projects: jest ignores it in one.
  // Conditions end waits: this is for what hangs, also on a machine with several times the work.
  testTimeout: 240_000,
  maxWorkers: 4,
  // Workers end at once, but a busy machine takes longer than the usual half second to free their memory.
  workerGracefulExitTimeout: 10_000,
  testSequencer: './test/support/slowest-first.js',
  projects: [
    unit,
    withServer('integration', {
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: elsewhere.map(
        (name) => `<rootDir>/test/${name.replace('*', '[^/]+')}${name.endsWith('.ts') ? '$' : '/'}`,
      ),
    }),
    withServer('processes', { testMatch: matching(members.processes) }),
    withServer('browser', { testMatch: matching(members.browser) }),
    ...(process.env.ENGINES ? [withServer('engines', { testMatch: matching(members.engines) })] : []),
    ...(process.env.CONFORMANCE
      ? [withServer('conformance', { testMatch: matching(members.conformance) })]
      : []),
  ],
};
