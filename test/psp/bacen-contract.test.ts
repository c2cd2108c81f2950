import { bacen } from '../../src/psp/bacen/adapter.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { describeProvider } from './contract.ts';

describeProvider('bacen', bacen, defineBacen('standard'));
describeProvider('bacen with the preset efi', bacen, defineBacen('efi'));
