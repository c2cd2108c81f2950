import type { TadaDocumentNode } from 'gql.tada';
import { Refusal } from '../../api/service-error.ts';
import { useTexts } from '../../shell/language.tsx';
import { useServiceMutation } from '../../shell/use-service.ts';
import { memberTexts } from './texts.ts';

/** A change that the service refuses where it would leave no owner, which is told in the person's language. */
export function useOwnerMutation<Result, Variables extends object>(
  document: TadaDocumentNode<Result, Variables>,
) {
  const { lastOwner } = useTexts(memberTexts);
  const mutation = useServiceMutation(document);
  const { error } = mutation;
  const isLastOwner = error instanceof Refusal && error.code === 'CONFLICT';
  return { ...mutation, error: isLastOwner ? new Refusal({ message: lastOwner }) : error };
}
