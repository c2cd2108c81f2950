import { woovi } from '../../src/psp/woovi/adapter.ts';
import { woovi as emulated } from '../support/psp-emulator/woovi.ts';
import { describeProvider } from './contract.ts';

describeProvider('woovi', woovi, emulated);
