import { readFile } from 'node:fs/promises';
import { badRequest } from '../../core/base/errors.ts';

export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw badRequest(`cannot read ${file}`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(`${file} must be valid JSON`);
  }
}
