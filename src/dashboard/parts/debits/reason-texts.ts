import type { DebitFailure } from '../../../core/recurrences/rules/debit.ts';
import { type Texts, texts } from '../../base/language.tsx';

/** Why a debit failed. */
export const reasonTexts: Texts<Record<DebitFailure, string>> = texts(
  {
    limit: 'Acima do limite que o pagador definiu',
    no_balance: 'Sem saldo',
    mandate_ended: 'Autorização encerrada',
    payer_data: 'Dados do pagador não conferem',
    account: 'Conta encerrada ou bloqueada',
    our_fault: 'Enviado fora do prazo ou das regras',
    operational: 'Falha de um banco',
    already_paid: 'Já pago',
    unknown: 'Motivo não informado',
  },
  {
    limit: 'Above the limit that the payer set',
    no_balance: 'No balance',
    mandate_ended: 'Authorization ended',
    payer_data: 'The payer’s details do not match',
    account: 'Account closed or blocked',
    our_fault: 'Sent too late or against the rules',
    operational: 'A bank had a fault',
    already_paid: 'Already paid',
    unknown: 'No reason given',
  },
);
