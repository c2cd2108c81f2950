import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import jsQr from 'jsqr';
import { PNG } from 'pngjs';

const run = promisify(execFile);
const source = resolve(import.meta.dirname, '../../packages/br-code');

it('runs its quick start as it is packed, in an empty folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'br-code-'));
  try {
    await run('npm', ['pack', '--pack-destination', folder], { cwd: source });
    const installed = join(folder, 'node_modules', '@pix-service', 'br-code');
    await run('mkdir', ['-p', installed]);
    const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as {
      version: string;
    };
    const tarball = join(folder, `pix-service-br-code-${version}.tgz`);
    await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
    const [, example = ''] =
      /```js\n([^]*?)```/.exec(await readFile(join(installed, 'README.md'), 'utf8')) ?? [];
    await writeFile(join(folder, 'example.mjs'), example);

    const { stdout } = await run(process.execPath, ['example.mjs'], { cwd: folder });
    const [code, fields] = stdout.trim().split('\n');

    expect(fields).toBe('19.90 Padaria da Esquina');
    const { data, width, height } = PNG.sync.read(await readFile(join(folder, 'code.png')));
    expect(jsQr.default(new Uint8ClampedArray(data), width, height)?.data).toBe(code);
  } finally {
    await rm(folder, { recursive: true });
  }
});
