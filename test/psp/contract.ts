import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import type { PspProvider } from '../../src/psp/kit/provider.ts';
import type { DefinePsp } from '../support/psp-emulator/psp.ts';
import { describeCreation } from './contract-creation.ts';
import { describeEnds } from './contract-ends.ts';
import { describeNotifications } from './contract-notifications.ts';
import { openSubject, type Subject } from './contract-setup.ts';

/** What every provider must do, against an emulator that speaks its wire format. */
export function describeProvider(name: string, provider: PspProvider, define: DefinePsp): void {
  describe(name, () => {
    let subject: Subject;
    const current = () => subject;

    beforeAll(async () => {
      subject = await openSubject(provider, define);
    });

    afterEach(async () => {
      subject.emulator.faults.clear();
      await subject.emulator.acceptConnections();
    });

    afterAll(() => subject.stop());

    describeCreation(current);
    describeEnds(current);
    describeNotifications(current);
  });
}
