import { bacen } from '../../src/psp/bacen/adapter.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { describeProvider } from './contract.ts';

/** What is seen together at one bank, or can be read together. */
describeProvider('bacen', bacen, defineBacen('standard'), {
  'digitStrings+oneDecimal+localTimes+nulls+singleItem+rawControls': ['creation', 'money', 'ends'],
  'numericAmounts+keyLeftOut+emv+emptyCancel+formClient+neededHeaders+neededQuery+patchElsewhere': [
    'money',
    'ends',
    'notifications',
  ],
  'noSecret+grantInQuery+neededScope+keyIsTxid+strict+absentIs400': ['money', 'ends'],
});
describeProvider('bacen with the preset efi', bacen, defineBacen('efi'));
