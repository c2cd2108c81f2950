import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { longTest } from './support/chance.ts';
import { createAuthority } from './support/certificates.ts';
import { createClient } from './support/client.ts';
import { pix } from './support/command-line.ts';
import { eventually } from './support/eventually.ts';
import { freePort } from './support/free-port.ts';
import { anchorsOf, type Block, blocksOf, isBroken, linksOf, pages, read, root } from './support/pages.ts';
import { receiver } from './support/pkcs12.ts';
import { killServices, type ServiceProcess, startService } from './support/service-process.ts';

const blocksIn = (language: string): [place: string, block: Block][] =>
  pages.flatMap((page) =>
    blocksOf(page)
      .filter((block) => block.language === language)
      .map((block): [string, Block] => [`${page}:${block.line}`, block]),
  );

describe('what the pages say', () => {
  test('the README has at most 150 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  test('every link leads to a file and heading that exist', () => {
    const links = pages.flatMap((page) =>
      linksOf(page).map((link): [page: string, link: string] => [page, link]),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(([page, link]) => isBroken(page, link))).toEqual([]);
  });

  test('every page is reached from the index', () => {
    const linked = [...read('docs/README.md').matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
    const decisions = [...read('docs/contributing/decisions/README.md').matchAll(/\]\(([^)#]+)\)/g)].map(
      ([, link = '']) => join('contributing/decisions', link),
    );
    const unreached = pages.filter(
      (page) => page.startsWith('docs/') && ![...linked, ...decisions].includes(relative('docs', page)),
    );
    expect(unreached).toEqual(['docs/README.md']);
  });

  test('the pages about going live with a provider have the same sections', () => {
    const providers = pages.filter((page) => read(page).startsWith('# Going live with '));
    expect(providers.length).toBeGreaterThan(10);
    const sections = providers.map((page) => [page, anchorsOf(page).slice(1)]);
    const [, expected] = sections[0] ?? [];
    expect(sections).toEqual(providers.map((page) => [page, expected]));
  });

  test('every file of the project that a page names exists', () => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`((?:src|test|prisma|bench|scripts|docs|\.ci)\/[^`\s<>*…]+)`/g)].map(
        ([, path = '']) => [page, path] as const,
      ),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(([, path]) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('docs/operating.md has every setting', () => {
    const sources =
      read('src/config.ts') + read('src/settings/store-settings.ts') + read('src/settings/trace-settings.ts');
    const settings = [...sources.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name);
    const page = read('docs/operating.md');
    expect(settings.length).toBeGreaterThan(10);
    expect(settings.filter((name) => name !== 'NODE_ENV' && !page.includes(`\`${name}\``))).toEqual([]);
  });

  test.each(blocksIn('graphql'))('the operation of %s fits the schema', (_place, { code }) => {
    expect(validate(buildSchema(read('schema.graphql')), parse(code))).toEqual([]);
  });

  test.each(blocksIn('json'))('the example of %s is JSON', (_place, { code }) => {
    expect(() => JSON.parse(code) as unknown).not.toThrow();
  });
});

describe('what the pages run', () => {
  let port: number;
  /** Where a reader would have the checkout. */
  let directory: string;
  let service: ServiceProcess;
  /** Runs commands in this process, as each would take longer to start than to run. */
  let commands: Server;
  const complaints: string[] = [];

  async function runCommand(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isFile = (argument: string) => argument.endsWith('.json');
    const args = (await text(request)).split('\n').slice(0, -1);
    // These ask a service at an address, which is the usual one for readers.
    if (/^(batch|clock|dispute|endpoint|payments|recurrence|refund|trigger)$/.test(args[0] ?? ''))
      args.push('--url', `http://localhost:${port}`);
    const { code, stdout, stderr } = await pix(
      args.map((argument) => (isFile(argument) ? join(directory, argument) : argument)),
      { DATA_DIR: join(directory, '.data') },
    );
    if (code !== 0) complaints.push(`${args.join(' ')}: ${stderr}`);
    response.writeHead(code === 0 ? 200 : 500).end(stdout);
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'docs-'));
    // The embedded PostgreSQL is not root's.
    await chmod(directory, 0o755);
    await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
    port = await freePort();
    service = await startService({ DATA_DIR: join(directory, '.data'), PORT: String(port) });
    commands = createServer((request, response) => void runCommand(request, response));
    await once(commands.listen(0, '127.0.0.1'), 'listening');
  });

  afterAll(async () => {
    commands.close();
    await service.end('SIGTERM');
    await killServices();
    await rm(directory, { recursive: true, force: true });
  });

  const local = (code: string) => code.replaceAll('localhost:3000', `localhost:${port}`);

  function run(command: string, args: string[], env: Record<string, string> = {}) {
    const child = spawn(command, args, {
      cwd: directory,
      env: { PATH: process.env['PATH'], HOME: directory, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, for what a script leaves in the background.
      detached: true,
    });
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Nothing is left of it.
      }
    };
    return { child, end };
  }

  /** What a reader of docs/going-live has by then: the certificate and the page's settings, filled in. */
  async function prepareGoingLive(page: string): Promise<void> {
    const { certificate, privateKey } = createAuthority('Bank CA').issue('client');
    await writeFile(join(directory, 'pix.pem'), certificate);
    await writeFile(join(directory, 'pix.p12'), Buffer.from(receiver.pkcs12, 'base64'));
    const example = blocksOf(page).find(({ language }) => language === 'json')?.code ?? '{}';
    const settings = JSON.parse(example.replaceAll('…', 'given-by-the-provider')) as object;
    const isBank = 'preset' in settings;
    const files = [...read(page).matchAll(/[\w-]+\.json/g)].map(([file]) => file);
    for (const file of new Set(files)) {
      const content = { ...settings, ...(isBank && { certificate, privateKey }) };
      await writeFile(join(directory, file), JSON.stringify(content));
    }
  }

  const commandUrl = () => `http://127.0.0.1:${(commands.address() as AddressInfo).port}`;

  /** npm itself takes longer than what it starts; a response that is an error ends the script. */
  const prelude = () => `
set -euo pipefail
npm() {
  case "$1 $2 $3 $4" in
    'run -s pix --')
      shift 4; printf '%s\\n' "$@" | command curl -s --fail-with-body --data-binary @- ${commandUrl()} ;;
    'run -s psp-emulator --')
      shift 4; node --import '${root}/test/support/typescript.js' '${root}/test/support/psp-emulator/main.ts' "$@" ;;
    *) echo "not run in this test: npm $*" >&2; return 1 ;;
  esac
}
curl() { command curl --fail-with-body "$@" || [ $? = 28 ]; }
`;

  const scripts = pages.flatMap((page): [string, Block[]][] => {
    const blocks = blocksOf(page).filter(({ language, isSkipped }) => language === 'sh' && !isSkipped);
    return blocks.length > 0 ? [[page, blocks]] : [];
  });

  test('there are pages with commands', () => {
    expect(scripts.length).toBeGreaterThan(5);
  });

  async function runPage(page: string, blocks: readonly Block[]): Promise<void> {
    const parts = blocks.map(({ code, line }) => `echo '# ${page}:${line}'\n${local(code)}`);
    if (page.startsWith('docs/going-live/')) await prepareGoingLive(page);
    const { child, end } = run('bash', ['-c', [prelude(), ...parts].join('\n')]);
    const closed = once(child, 'exit').finally(end);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    const failure = [...complaints.splice(0), stdout.slice(stdout.lastIndexOf('# ')), stderr];
    expect(code === 0 ? [] : failure).toEqual([]);
    expect(stdout).not.toMatch(/"errors": ?\[/);
  }

  const isReadme = ([page]: (typeof scripts)[number]) => page === 'README.md';
  test.each(scripts.filter(isReadme))('the commands of %s do what it says', runPage);
  // Some pages have more than fifty commands.
  longTest.each(scripts.filter((each) => !isReadme(each)))(
    'the commands of %s do what it says',
    runPage,
    900_000,
  );

  const quickStart = {
    js: ['quick-start.mjs', process.execPath, ['--version']],
    python: ['quick-start.py', 'python3', ['--version']],
    php: ['quick-start.php', 'php', ['-r', 'curl_version();']],
  } as const;

  test.each(Object.entries(quickStart))(
    'the payment of docs/quick-start.md in %s is paid',
    async (language, [file, runtime, probe]) => {
      if (spawnSync(runtime, probe).status !== 0) {
        console.warn(
          `${runtime} is not installed, or has no curl: the quick start in ${language} was not run`,
        );
        return;
      }
      const [block] = blocksOf('docs/quick-start.md').filter((each) => each.language === language);
      await writeFile(join(directory, file), block?.code ?? '');
      const key = readFileSync(join(directory, '.data/demo-key'), 'utf8').trim();
      const { child } = run(runtime, [file], { PIX_URL: service.baseUrl, PIX_API_KEY: key });
      const [printed, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
      expect({ lines: printed.trim().split('\n'), complaint }).toEqual({
        lines: [expect.stringMatching(/^000201/), 'completed'],
        complaint: '',
      });
    },
  );

  test('the client of docs/live-updates.md is shown payments', async () => {
    const [, code] = /<!-- live client -->\s*```ts\n([^]*?)```/.exec(read('docs/live-updates.md')) ?? [];
    await writeFile(join(directory, 'client.mjs'), local(code ?? ''));
    const key = readFileSync(join(directory, '.data/demo-key'), 'utf8').trim();
    const client = createClient(service.baseUrl, key);
    const { id } = (await client.post('/v1/payments', { amount: 3 })).body;
    const { child, end } = run(process.execPath, ['client.mjs'], { PIX_API_KEY: key });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
    try {
      await eventually(() => {
        expect(printed).toContain(id);
      });
    } finally {
      end();
    }
  });
});
