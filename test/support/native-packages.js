import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';

const getCacheKey = (source, path, { configString }) =>
  createHash('sha256').update([source, path, configString].join('\0')).digest('hex');

const commonJs = {
  process: (_source, path) => ({ code: `module.exports = requireNatively(${JSON.stringify(path)});` }),
  getCacheKey,
};

const esModules = {
  async processAsync(_source, path) {
    const url = pathToFileURL(path).href;
    const exported = Object.keys(await import(url)).map(
      (name, index) => `const export${index} = all.${name}; export { export${index} as ${name} };`,
    );
    const code = `const all = await importNatively(${JSON.stringify(url)}); ${exported.join(' ')}`;
    return { code };
  },
  getCacheKey,
};

/** Makes of a package's entry one that hands on what Node has loaded, once for all test files of a worker. */
export default { createTransformer: ({ isCommonJs }) => (isCommonJs ? commonJs : esModules) };
