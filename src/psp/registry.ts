// Every PSP that a credential can name, one line each. The exported name is the provider's identifier.
export { asaas } from './asaas/adapter.ts';
export { bacen } from './bacen/adapter.ts';
export { mercadopago } from './mercadopago/adapter.ts';
export { pagarme } from './pagarme/adapter.ts';
export { pagbank } from './pagbank/adapter.ts';
export { sandbox } from './sandbox/adapter.ts';
export { woovi } from './woovi/adapter.ts';
