/** The ENCRYPTION_KEYS of every database of the tests: a node with other keys would not start on it. */
export const testKeys = `test:${Buffer.alloc(32, 7).toString('base64')}`;

/** Given to whatever works on such a database and is not given others. */
export const keysFor = (env: Readonly<Record<string, string>>): Record<string, string> =>
  env['DATABASE_URL'] === undefined ? {} : { ENCRYPTION_KEYS: testKeys };
