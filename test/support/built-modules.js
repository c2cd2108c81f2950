import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Makes of a module of the service one that hands on what its build exports. */
export default {
  async processAsync(_source, path, { config: { rootDir } }) {
    const build = join(rootDir, 'dist', relative(join(rootDir, 'src'), path)).replace(/\.ts$/, '.js');
    const url = pathToFileURL(build).href;
    const names = Object.keys(await import(url));
    return { code: `export const { ${names.join(', ')} } = await importNatively(${JSON.stringify(url)});` };
  },

  getCacheKey: (source, path, { configString }) =>
    createHash('sha256').update([source, path, configString].join('\0')).digest('hex'),
};
