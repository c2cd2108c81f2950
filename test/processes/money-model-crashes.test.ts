import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { times } from '../support/chance.ts';
import { roundSeconds, sequenceAt } from '../support/money-model/actions.ts';
import { banks } from '../support/money-model/banks.ts';
import { type Mischief, type MortalWorld, openMortalWorld } from '../support/money-model/mortal-world.ts';
import { killServices } from '../support/service-process.ts';

// MODEL_SEED and MODEL_RUNS try others. What is played is the same again, but when a node dies is a matter of chance.
const seed = Number(process.env['MODEL_SEED'] ?? 1);
const runs = Number(process.env['MODEL_RUNS'] ?? times(1, 5));
const lanesOfBank = 4;

const mischief = fc.array(
  fc.record<Mischief>({
    kind: fc.constantFrom<Mischief['kind'][]>('none', 'kill', 'kill', 'stop'),
    node: fc.nat(1),
    afterRequests: fc.integer({ min: 1, max: 60 }),
  }),
  { minLength: roundSeconds.length, maxLength: roundSeconds.length },
);

let world: MortalWorld;

beforeAll(async () => {
  world = await openMortalWorld();
});

afterAll(async () => {
  await world.stop();
  await killServices();
});

test(
  'whenever a node is killed or stands still, the service says in the end what the ledgers say',
  async () => {
    for (let run = 0; run < runs; run++) {
      const cast = banks
        .filter(({ define }) => define)
        .map((bank) => ({
          bank,
          sequences: fc.sample(sequenceAt(bank), { seed: seed + run, numRuns: lanesOfBank }),
        }));
      const [happening = []] = fc.sample(mischief, { seed: seed + run, numRuns: 1 });
      expect({ seed: seed + run, found: await world.play(cast, happening) }).toEqual({
        seed: seed + run,
        found: [],
      });
    }
  },
  runs * 300_000,
);
