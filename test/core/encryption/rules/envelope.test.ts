import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  digestsOf,
  type KeyRing,
  open,
  parseKeyRing,
  rewrap,
  seal,
} from '../../../../src/core/encryption/rules/envelope.ts';

const key = (id: string): KeyRing[number] => ({ id, key: randomBytes(32) });

const oldKey = key('2025');
const newKey = key('2026');
const ring: KeyRing = [newKey, oldKey];
const plain = '{"appId":"Segredo ✓"}';
const context = 'credential-1';

const sealed = seal(ring, plain, context);
const [version = '', keyId = '', wrapped = '', content = ''] = sealed.split('.');

const anyText = fc.string({ unit: 'binary', maxLength: 200 });

/** The Base64 text with one bit of its bytes turned over. */
function flipped(base64: string, bit: number): string {
  const bytes = Buffer.from(base64, 'base64');
  const index = bit % (bytes.length * 8);
  bytes[index >> 3] = (bytes[index >> 3] ?? 0) ^ (1 << (index & 7));
  return bytes.toString('base64');
}

describe('a sealed text cannot be opened', () => {
  test('when any bit of the wrapped key was changed', () => {
    fc.assert(
      fc.property(fc.nat(), (bit) => {
        const tampered = [version, keyId, flipped(wrapped, bit), content].join('.');
        expect(() => open(ring, tampered, context)).toThrow();
      }),
    );
  });

  test('when any bit of the content was changed', () => {
    fc.assert(
      fc.property(fc.nat(), (bit) => {
        const tampered = [version, keyId, wrapped, flipped(content, bit)].join('.');
        expect(() => open(ring, tampered, context)).toThrow();
      }),
    );
  });

  test.each(['wrapped', 'content'] as const)('when the %s part was truncated, by however much', (part) => {
    const whole = Buffer.from(part === 'wrapped' ? wrapped : content, 'base64');
    for (let length = 0; length < whole.length; length++) {
      const cut = whole.subarray(0, length).toString('base64');
      const tampered = [
        version,
        keyId,
        part === 'wrapped' ? cut : wrapped,
        part === 'content' ? cut : content,
      ];
      expect(() => open(ring, tampered.join('.'), context)).toThrow();
    }
  });

  test('with the content of another text under the same ring and context', () => {
    const other = seal(ring, 'another text', context).split('.');
    expect(() => open(ring, [version, keyId, wrapped, other[3]].join('.'), context)).toThrow();
    expect(() => open(ring, [version, keyId, other[2], content].join('.'), context)).toThrow();
  });

  test('with the key id of another key of the ring', () => {
    expect(() => open(ring, [version, oldKey.id, wrapped, content].join('.'), context)).toThrow();
  });

  test('when its key was removed from the ring, and the message names setting and key', () => {
    expect(() => open([oldKey], sealed, context)).toThrow(
      `ENCRYPTION_KEYS lacks the key ${newKey.id} that sealed this`,
    );
  });

  test('when another key has taken over the id of its key', () => {
    expect(() => open([key(newKey.id)], sealed, context)).toThrow();
  });

  test("in another context, such as another credential's row", () => {
    expect(() => open(ring, sealed, 'credential-2')).toThrow();
    expect(() => open(ring, sealed, '')).toThrow();
  });

  test.each([
    ['of another version', `v2.${keyId}.${wrapped}.${content}`],
    ['that is empty', ''],
    ['that was never sealed', plain],
  ])('%s', (_name, text) => {
    expect(() => open(ring, text, context)).toThrow('the sealed text has an unknown version');
  });

  test('and the error contains neither key nor text', () => {
    const attempts = [
      [ring, [version, keyId, wrapped, flipped(content, 100)].join('.')],
      [[oldKey], sealed],
    ] as const;
    for (const [keys, text] of attempts) {
      const message = (() => {
        try {
          return open(keys, text, context);
        } catch (error) {
          return String(error);
        }
      })();
      for (const secret of ['Segredo', newKey.key.toString('base64'), wrapped, content]) {
        expect(message).not.toContain(secret);
      }
    }
  });
});

test('nothing is sealed without a key', () => {
  expect(() => seal([], plain, context)).toThrow('the key ring is empty');
});

test('every text survives sealing and opening', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, anyContext) => {
      const wellFormed = text.toWellFormed();
      expect(open(ring, seal(ring, wellFormed, anyContext), anyContext)).toBe(wellFormed);
    }),
  );
});

test('a sealed text reveals neither its content nor whether two texts are equal', () => {
  expect(seal(ring, plain, context)).not.toBe(sealed);
  expect(Buffer.from(content, 'base64').toString('latin1')).not.toContain('appId');
  expect([version, keyId]).toEqual(['v1', newKey.id]);
});

describe('rotation', () => {
  const before = seal([oldKey], plain, context);

  test('refuses to rewrap what it cannot open: tampered, of another context, or of a lost key', () => {
    const [, , oldWrapped = '', oldContent = ''] = before.split('.');
    const tampered = ['v1', oldKey.id, flipped(oldWrapped, 7), oldContent].join('.');
    expect(() => rewrap(ring, tampered, context)).toThrow();
    expect(() => rewrap(ring, before, 'credential-2')).toThrow();
    expect(() => rewrap([newKey], before, context)).toThrow(`lacks the key ${oldKey.id}`);
  });

  test('a new first key seals new texts, and the old one still opens old ones', () => {
    expect(open(ring, before, context)).toBe(plain);
    expect(seal(ring, plain, context).split('.')[1]).toBe(newKey.id);
  });

  test('a rewrapped text opens without the old key, and its content is not sealed again', () => {
    const moved = rewrap(ring, before, context) ?? '';
    expect(open([newKey], moved, context)).toBe(plain);
    expect(() => open([oldKey], moved, context)).toThrow(`lacks the key ${newKey.id}`);
    expect(moved.split('.')[3]).toBe(before.split('.')[3]);
  });

  test('texts already under the first key are left alone', () => {
    expect(rewrap(ring, sealed, context)).toBeUndefined();
  });
});

test('a digest differs by text, context and key, and the first is made with the first key', () => {
  const [ours, older] = digestsOf(ring, '52998224725', context);
  expect(digestsOf([newKey], '52998224725', context)).toEqual([ours]);
  expect(digestsOf([oldKey], '52998224725', context)).toEqual([older]);
  expect(ours).not.toBe(older);
  expect(digestsOf([newKey], '52998224725', 'credential-2')).not.toEqual([ours]);
  expect(digestsOf([newKey], '11144477735', context)).not.toEqual([ours]);
});

test('ENCRYPTION_KEYS is parsed with or without spaces around the pairs', () => {
  const text = [newKey, oldKey].map(({ id, key: bytes }) => `${id}:${bytes.toString('base64')}`);
  expect(parseKeyRing(text.join(' , '))).toEqual(ring);
});
