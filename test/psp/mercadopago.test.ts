import { mercadopago } from '../../src/psp/mercadopago/adapter.ts';
import { mercadopago as emulated } from '../support/psp-emulator/mercadopago.ts';
import { describeProvider } from './contract.ts';

describeProvider('mercadopago', mercadopago, emulated);
