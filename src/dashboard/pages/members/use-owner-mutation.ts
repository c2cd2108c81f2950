import type { TadaDocumentNode } from 'gql.tada';
import { ServiceError } from '../../api/service-error.ts';
import { useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { memberTexts } from './texts.ts';

/** Translates the conflict of a change that would leave the organization without an owner. */
export function useOwnerMutation<Result, Variables extends object>(
  document: TadaDocumentNode<Result, Variables>,
) {
  const { lastOwner } = useTexts(memberTexts);
  const mutation = useServiceMutation(document);
  const { error } = mutation;
  const isLastOwner = error instanceof ServiceError && error.code === 'CONFLICT';
  return { ...mutation, error: isLastOwner ? new ServiceError({ wording: lastOwner }) : error };
}
