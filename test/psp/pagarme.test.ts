import { pagarme } from '../../src/psp/pagarme/adapter.ts';
import { pagarme as emulated } from '../support/psp-emulator/pagarme.ts';
import { describeProvider } from './contract.ts';

describeProvider('pagarme', pagarme, emulated);
