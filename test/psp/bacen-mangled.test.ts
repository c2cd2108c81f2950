import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isJsonObject } from '../../src/core/base/json/json-object.ts';
import type { Charge } from '../../src/core/providers/rules/charge.ts';
import { PspError } from '../../src/core/providers/rules/psp-error.ts';
import { chargeRead, paidCob } from './bacen-setup.ts';
import { newHexId } from './contract-setup.ts';

/** One place of a body and what becomes of it. */
interface Mangling {
  place: number;
  how: keyof typeof ways;
}

/** What banks, proxies and careless serializers make of a member. */
const ways = {
  leaveOut: () => undefined,
  empty: () => null,
  blank: () => '',
  asNumber: (value: unknown) => (typeof value === 'string' && value ? Number(value) : value),
  asText: (value: unknown) => (typeof value === 'number' ? value.toString() : value),
  trimmed: (value: unknown) =>
    typeof value === 'string' ? value.replace(/(\.\d*[1-9])0+$|\.0+$/, '$1') : value,
  withoutPoint: (value: unknown) => (typeof value === 'string' ? value.replace('.', '') : value),
  withComma: (value: unknown) => (typeof value === 'string' ? value.replace('.', ',') : value),
  listed: (value: unknown) => [value],
  unlisted: (value: unknown) => (Array.isArray(value) ? (value[0] as unknown) : value),
  doubled: (value: unknown) => (Array.isArray(value) ? [...value, ...value] : value),
  emptyList: () => [],
  emptyObject: () => ({}),
  broken: (value: unknown) => (typeof value === 'string' ? `${value}\n` : value),
} satisfies Record<string, (value: unknown) => unknown>;

const mangling: fc.Arbitrary<Mangling> = fc.record({
  place: fc.nat(40),
  how: fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[])),
});

/** The value with the member at that place, counted in the order of printing, changed. */
function mangled(value: unknown, { place, how }: Mangling): unknown {
  let seen = -1;
  const walk = (each: unknown): unknown => {
    seen += 1;
    if (seen === place) return ways[how](each);
    if (Array.isArray(each)) return each.map(walk);
    if (!isJsonObject(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [name, walk(member)]));
  };
  return walk(value);
}

const body = (cob: unknown, manglings: readonly Mangling[]): string =>
  JSON.stringify(manglings.reduce(mangled, cob) ?? null).replaceAll('\\n', '\n');

/** What a lookup makes of it, whether or not the key is compared; nothing if it is unreadable. */
async function readings(text: string, id: string): Promise<Charge[]> {
  const all: Charge[] = [];
  for (const compareKey of [true, false]) {
    try {
      const charge = await chargeRead(text, id, { compareKey });
      if (charge) all.push(charge);
    } catch (error) {
      if (!(error instanceof PspError)) throw error;
    }
  }
  return all;
}

const decidedOf = ({ status, receivedPix }: Charge): boolean => status === 'paid' || receivedPix.length > 0;

const manglings = fc.array(mangling, { maxLength: 4 });
const runs = { numRuns: 300 };

test('no mangled body of another charge pays ours, nor ends it', async () => {
  const [ours, other] = [newHexId(), newHexId()];
  await fc.assert(
    fc.asyncProperty(manglings, async (changes) => {
      for (const charge of await readings(body(paidCob(other, '10.50'), changes), ours)) {
        expect(decidedOf(charge)).toBe(false);
        expect(charge.status).not.toMatch(/cancelled|expired|failed/);
      }
    }),
    runs,
  );
});

test('no mangled body makes another’s Pix ours', async () => {
  const [ours, other] = [newHexId(), newHexId()];
  const cob = paidCob(ours, '10.50');
  const strange = { ...cob, pix: [...cob.pix, ...paidCob(other, '10.50').pix] };
  await fc.assert(
    fc.asyncProperty(manglings, async (changes) => {
      const text = body(strange, changes);
      if (!text.includes(other)) return;
      for (const charge of await readings(text, ours)) {
        const own = charge.receivedPix.map(({ endToEndId }) => endToEndId);
        expect(cob.pix.map(({ endToEndId }) => endToEndId)).toEqual(expect.arrayContaining(own));
      }
    }),
    runs,
  );
});

test('no mangled body pays another amount than it says', async () => {
  const ours = newHexId();
  const amount = fc.integer({ min: 1, max: 999_999_999_999 });
  await fc.assert(
    fc.asyncProperty(amount, manglings, async (inCents, changes) => {
      const valor = `${Math.trunc(inCents / 100)}.${String(inCents % 100).padStart(2, '0')}`;
      for (const { amountInCents, receivedPix } of await readings(
        body(paidCob(ours, valor), changes),
        ours,
      )) {
        if (receivedPix.length === 0) continue;
        // Beside it, a Pix of another amount is shown and confirms nothing.
        expect(receivedPix.map((pix) => pix.amountInCents)).toContain(amountInCents);
        for (const { endToEndId, amountInCents: received } of receivedPix) {
          const sameId = receivedPix.filter((pix) => pix.endToEndId === endToEndId);
          expect(sameId.map((pix) => pix.amountInCents)).toEqual(sameId.map(() => received));
        }
        // Unless somebody took the point out of every amount, and then it is another payment's amount.
        const times = Number(amountInCents) / inCents;
        expect([1, 100]).toContain(times);
      }
    }),
    runs,
  );
});

test('a Pix that is listed with two amounts confirms nothing', async () => {
  const ours = newHexId();
  const cob = paidCob(ours, '0.01');
  const [pix] = cob.pix;
  const text = JSON.stringify({ ...cob, pix: [{ ...pix, valor: '001' }, pix] });
  for (const charge of await readings(text, ours)) {
    expect(charge).toMatchObject({ status: 'unrecognised', receivedPix: [] });
  }
});
