import { texts } from '../base/language.tsx';

/** The service may add values: unknown ones are shown raw. */
type OpenTexts = Readonly<Record<string, string>>;

export const routingReasons = texts<OpenTexts>(
  {
    requested: 'credencial indicada na cobrança',
    time_window: 'horário da regra',
    price_range: 'o valor está em uma faixa da regra',
    cheapest: 'a mais barata das que a regra deixa em pé de igualdade',
    split: 'divisão da regra',
    default: 'credencial padrão',
    fallback: 'contingência da regra',
    default_fallback: 'contingência da credencial padrão',
    diverted: 'no lugar da credencial seguinte, direcionada para esta',
    probe: 'está falhando (há um alerta aberto); tentada para ver se voltou',
    no_credential: 'sandbox integrado (nenhuma credencial)',
    recurrence: 'provedor da recorrência',
    recovered: 'recuperada do provedor após a restauração de um backup',
  },
  {
    requested: 'requested for this payment',
    time_window: 'hours of the routing rule',
    price_range: 'the amount is in a range of the routing rule',
    cheapest: 'the cheapest of equals in the routing rule',
    split: 'split of the routing rule',
    default: 'default credential',
    fallback: 'fallback of the routing rule',
    default_fallback: 'fallback of the default credential',
    diverted: 'takes the turn of the next credential, which is routed to it',
    probe: 'it is failing (an alert is open); tried to see whether it is back',
    no_credential: 'built-in sandbox (no credential)',
    recurrence: 'provider of the recurrence',
    recovered: 'recovered from the provider after a backup was restored',
  },
);

export const skipReasons = texts<OpenTexts>(
  {
    disabled: 'credencial desativada',
    sandbox_only: 'o sandbox só aceita cobranças de teste',
    amount_too_small: 'valor abaixo do mínimo do provedor',
    amount_too_large: 'valor acima do máximo do provedor',
    due_not_supported: 'o provedor não aceita estes termos de vencimento',
    address_incomplete: 'falta o endereço do pagador, que o provedor exige com vencimento',
    payer_incomplete: 'faltam dados do pagador exigidos pelo provedor',
    failing: 'está falhando (há um alerta aberto); fica por último',
  },
  {
    disabled: 'credential disabled',
    sandbox_only: 'the sandbox only accepts test payments',
    amount_too_small: "amount below the provider's minimum",
    amount_too_large: "amount above the provider's maximum",
    due_not_supported: 'the provider does not take these terms of the due date',
    address_incomplete: "the payer's address is missing, which the provider requires with a due date",
    payer_incomplete: 'payer data required by the provider is missing',
    failing: 'it is failing (an alert is open) and comes last',
  },
);
