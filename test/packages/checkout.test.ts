import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type * as Vite from 'vite';
import { startTestApp, type TestApp } from '../support/app.ts';
import { startChromium } from '../support/chromium.ts';
import { type Client, createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';
import { importNatively } from '../support/import-natively.ts';
import { checkoutPackage, installCheckout, type Project } from '../support/packed-checkout.ts';

const run = promisify(execFile);
const { build } = await importNatively<typeof Vite>('vite');
const modules = resolve(import.meta.dirname, '../../node_modules');

let app: TestApp;
let owner: TestKey;
let client: Client;
let browser: Browser;
let project: Project;
let blocks: Record<'js' | 'jsx', string>;

beforeAll(async () => {
  [app, project, browser] = await Promise.all([startTestApp(), installCheckout(), startChromium()]);
  owner = await createKey(app.services);
  client = createClient(app.baseUrl, owner.key);
  const readme = await readFile(join(checkoutPackage, 'README.md'), 'utf8');
  const blockOf = (language: string) =>
    new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(readme)?.[1] ?? '';
  blocks = { js: blockOf('js'), jsx: blockOf('jsx') };
});

afterAll(async () => {
  await Promise.all([browser.close(), project.remove(), app.stop()]);
});

const write = (name: string, text: string) => writeFile(join(project.directory, name), text);

/** Bundles it as a shop does; `external` is left out. */
async function bundle(entry: string, external: string[] = []): Promise<string[]> {
  const built = await build({
    root: project.directory,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      write: false,
      rolldownOptions: { input: join(project.directory, entry), external, preserveEntrySignatures: 'strict' },
    },
  });
  const { output } = built as Vite.Rolldown.RolldownOutput;
  return output.map((each) => (each.type === 'chunk' ? each.code : ''));
}

describe('the package', () => {
  it('runs its quick start in an empty folder', async () => {
    const port = await freePort();
    await write('shop.mjs', blocks.js);
    const env = {
      ...process.env,
      PIX_API_KEY: owner.key,
      PIX_URL: app.baseUrl,
      PORT: String(port),
    };
    const shop = spawn(process.execPath, ['shop.mjs'], { cwd: project.directory, env, stdio: 'inherit' });
    try {
      const page = await browser.newPage();
      await eventually(() => page.goto(`http://localhost:${port}/`));
      await page.getByRole('img', { name: 'QR code do Pix' }).waitFor();
      const id = await page.evaluate<string>('document.querySelector("pix-checkout").payment.id');
      await client.post(`/v1/sandbox/payments/${id}/pay`);
      await page.getByText('Pagamento confirmado').waitFor();
      expect(await page.title()).toBe('Pago: 19.9');
      expect(await page.content()).not.toContain(owner.key);
    } finally {
      shop.kill();
    }
  });

  it('is loaded by servers that render pages, where there are no elements', async () => {
    const code = `import { PixCheckout } from '@pix-service/checkout'; console.log(typeof PixCheckout);`;
    const loading = run(process.execPath, ['--input-type=module', '-e', code], { cwd: project.directory });
    expect((await loading).stdout).toBe('function\n');
  });

  it('is under 10 kB compressed, element and hook together', async () => {
    await write(
      'all.js',
      `export * from '@pix-service/checkout'; export * from '@pix-service/checkout/react';`,
    );
    const [code = '', ...others] = await bundle('all.js', ['react']);
    expect(others).toEqual([]);
    expect(code).toContain('attachShadow');
    expect(gzipSync(code).length).toBeLessThan(10_000);
  });

  it('depends on nothing', async () => {
    const { dependencies } = JSON.parse(await readFile(join(checkoutPackage, 'package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
  });
});

describe('with React', () => {
  let server: Server;

  // The shop has it; it is not installed again for a test.
  beforeAll(async () => {
    for (const name of ['react', 'react-dom', '@types'])
      await symlink(join(modules, name), join(project.directory, 'node_modules', name));
  });

  afterAll(() => {
    server.close();
  });

  /** The component of the README under StrictMode; `window.use(address)` gives it another payment. */
  async function openReact(): Promise<Page> {
    await write('pix.jsx', blocks.jsx);
    await write(
      'main.jsx',
      `import { StrictMode } from 'react';
       import { createRoot } from 'react-dom/client';
       import { Pix } from './pix.jsx';
       const root = createRoot(document.querySelector('main'));
       window.use = (address) => root.render(<StrictMode><Pix {...address} /></StrictMode>);`,
    );
    const [code = ''] = await bundle('main.jsx');
    const html = '<!doctype html><main></main><script type="module" src="/main.js"></script>';
    server = createServer(({ url }, response) => {
      const isScript = url === '/main.js';
      response
        .setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
        .end(isScript ? code : html);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const page = await browser.newPage();
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
    return page;
  }

  async function create() {
    const { id } = (await client.post('/v1/payments', { amount: 5 })).body;
    const { token } = (await client.post(`/v1/payments/${id}/token`)).body;
    return { service: app.baseUrl, paymentId: id as string, token: token as string };
  }

  const use = (page: Page, address?: object) => page.evaluate(`use(${JSON.stringify(address)})`);
  const pay = (id: string) => client.post(`/v1/sandbox/payments/${id}/pay`);

  it('the hook follows a payment, then another, under StrictMode, with one stream', async () => {
    const [first, second] = [await create(), await create()];
    const page = await openReact();
    await use(page);
    await page.getByText('loading').waitFor();
    await use(page, first);
    await page.getByText(/^(1800|17\d\d) s$/).waitFor();
    await eventually(() => expect(app.services.livePayments.count()).toBe(1));
    await pay(first.paymentId);
    await page.getByText('completed').waitFor();
    await use(page, second);
    await page.getByRole('img', { name: 'QR code do Pix' }).waitFor();
    expect(await page.getByText('completed').count()).toBe(0);
    await pay(second.paymentId);
    await page.getByText('completed').waitFor();
    await use(page, { ...first, token: second.token });
    await page.getByRole('alert').getByText('permission_denied').waitFor();
    await eventually(() => expect(app.services.livePayments.count()).toBe(0));
  });

  it('has types for elements, events and the hook', async () => {
    const code = `import '@pix-service/checkout';
      import { usePixPayment } from '@pix-service/checkout/react';
      document.querySelector('pix-checkout')?.addEventListener('completed', ({ detail }) => detail.amount.toFixed(2));
      document.createElement('pix-checkout').addEventListener('error', ({ detail }) => detail.code.length);
      // @ts-expect-error Without a token nothing can be read.
      export const Wrong = () => usePixPayment({ service: 'https://pix.example.com', paymentId: '1' }).status;
      export const Right = () => <pix-checkout service="https://pix.example.com" paymentId="1" token="pt_" lang="en" />;
      export const left = (): number | undefined => usePixPayment(undefined).timeLeft;`;
    await write('typed.tsx', code);
    const options = '--strict --noEmit --module nodenext --target es2022 --jsx react-jsx --types react';
    const tsc = join(modules, 'typescript/bin/tsc');
    const checking = run(process.execPath, [tsc, ...options.split(' '), 'typed.tsx'], {
      cwd: project.directory,
    });
    expect(await checking.catch(({ stdout }: { stdout: string }) => stdout)).toMatchObject({ stdout: '' });
  });
});
