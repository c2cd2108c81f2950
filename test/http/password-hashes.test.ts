import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto';
import type NodeModule from 'node:module';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectError } from '../support/error-shape.ts';
import { eventually } from '../support/eventually.ts';
import { importNatively } from '../support/import-natively.ts';
import { createPerson, postSignIn } from '../support/people.ts';

const { syncBuiltinESMExports } = await importNatively<typeof NodeModule>('node:module');

let app: TestApp;

const { scrypt } = crypto;
type Done = (error: Error | null, key: Buffer) => void;

/** Hashes that have begun, and are made when the test says so. */
const held: (() => void)[] = [];

function holdHashes(): void {
  const hold = (
    password: BinaryLike,
    salt: BinaryLike,
    length: number,
    options: ScryptOptions,
    done: Done,
  ) => {
    held.push(() => {
      scrypt(password, salt, length, options, done);
    });
  };
  crypto.scrypt = hold as typeof scrypt;
  syncBuiltinESMExports();
}

function letHashesGo(): void {
  crypto.scrypt = scrypt;
  syncBuiltinESMExports();
  for (const begin of held.splice(0)) begin();
}

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api' });
});

afterEach(letHashesGo);

afterAll(() => app.stop());

test('one hash runs at a time and twenty wait; beyond that callers are told to retry', async () => {
  const { email, password } = await createPerson(app);
  // Loads the library.
  await postSignIn(app, '/sign-in/email', { email: 'nobody@example.com', password });
  holdHashes();
  let answered = 0;
  const tries = Array.from({ length: 40 }, (_, index) =>
    postSignIn(app, '/sign-in/email', { email: `nobody-${index}@example.com`, password }).finally(() => {
      answered += 1;
    }),
  );
  await eventually(() => {
    expect(answered).toBe(19);
  });
  expect(held).toHaveLength(1);
  letHashesGo();
  const answers = await Promise.all(tries);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused).toHaveLength(19);
  for (const answer of refused) {
    expectError(answer, 503, 'ServiceUnavailable');
    expect(answer.headers.get('Retry-After')).toBe('2');
  }
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(21);
  expect((await postSignIn(app, '/sign-in/email', { email, password })).status).toBe(200);
});
