import { readFile } from 'node:fs/promises';
import { Mistake } from './mistake.ts';

export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Mistake(`cannot read ${file}`);
  });
  return parseJson(text, file);
}

/** `name` says in an error what it was. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Mistake(`${name} must be valid JSON`);
  }
}

export async function readJsonObject<Body>(file: string): Promise<Body> {
  const body = await readJson(file);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Mistake(`${file} must have a JSON object`);
  return body as Body;
}
