// @ts-check
// Builds the package in whose folder it runs: as ES modules, and as CommonJS for those who still call require().
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const tsc = join(import.meta.dirname, '../node_modules/typescript/bin/tsc');

/** @type {(...options: string[]) => void} */
const build = (...options) => {
  execFileSync(process.execPath, [tsc, '-p', '.', ...options], { stdio: ['ignore', 2, 2] });
};

build();
const commonJs = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'];
build(...commonJs, '--outDir', 'dist/cjs');
// The nearest package.json says what a file is.
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
