import { asaas } from '../../src/psp/asaas/adapter.ts';
import { asaas as emulated } from '../support/psp-emulator/asaas.ts';
import { describeProvider } from './contract.ts';

describeProvider('asaas', asaas, emulated);
