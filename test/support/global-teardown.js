import { rm } from 'node:fs/promises';

export default async function tearDown() {
  await globalThis.stopTestPostgres();
  await rm(globalThis.testDataDirectory, { recursive: true, force: true });
}
