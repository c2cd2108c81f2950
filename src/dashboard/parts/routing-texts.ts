import { texts } from '../shell/language.tsx';

/** Words that the service may add to are read with what it says as the last resort. */
type Words = Readonly<Record<string, string>>;

/** Why a credential has its place in the order. */
export const routingReasons = texts<Words>(
  {
    requested: 'a cobrança pediu esta credencial',
    price_range: 'o valor está em uma faixa da regra',
    default: 'é a credencial padrão',
    fallback: 'é uma reserva da regra',
    no_credential: 'não há credencial: o sandbox embutido',
  },
  {
    requested: 'the request named this credential',
    price_range: 'the amount is in a range of the rule set',
    default: 'it is the default credential',
    fallback: 'it is a fallback of the rule set',
    no_credential: 'there is no credential: the built-in sandbox',
  },
);

/** Why a credential is not tried. */
export const skipReasons = texts<Words>(
  {
    disabled: 'a credencial está desativada',
    sandbox_only: 'o sandbox só aceita cobranças de teste',
    payer_incomplete: 'faltam dados do pagador que o provedor exige',
  },
  {
    disabled: 'the credential is disabled',
    sandbox_only: 'the sandbox takes test payments only',
    payer_incomplete: 'data of the payer that the provider demands is missing',
  },
);
