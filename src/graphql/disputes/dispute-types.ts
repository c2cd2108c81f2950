import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { DocumentType } from '../../core/disputes/rules/documents.ts';
import { defendDisputeSchema } from '../../core/disputes/views/dispute-input.ts';
import {
  answerSupportSchema,
  type DisputeDetail,
  disputeDetailSchema,
  documentViewSchema,
  openedDocumentSchema,
} from '../../core/disputes/views/dispute-view.ts';
import { connectionType } from '../base/connection.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import { DisputeType } from '../payments/refund-types.ts';

const detail = descriptionsOf(disputeDetailSchema);
const document = descriptionsOf(documentViewSchema);
const opened = descriptionsOf(openedDocumentSchema);
const support = descriptionsOf(answerSupportSchema);
const defence = descriptionsOf(defendDisputeSchema);
const given = descriptionsOf(defendDisputeSchema.shape.documents.unwrap().element);

const needEnum = Object.fromEntries(answerSupportSchema.shape.documents.options.map((need) => [need, need]));
registerEnumType(needEnum, {
  name: 'DocumentNeed',
  description: 'What a provider says to documents of a defence.',
  valuesConfig: {
    none: { description: 'The provider takes none.' },
    optional: { description: 'The provider takes them.' },
    required: { description: 'The provider takes no defence without one.' },
  },
});

@ObjectType({ description: 'How a dispute can be answered.', simpleResolvers: true })
class AnswerSupport {
  @Field(() => Boolean, { description: support.defence })
  defence!: boolean;

  @Field(() => needEnum, { description: support.documents })
  documents!: DisputeDetail['answering']['documents'];

  @Field(() => Boolean, { description: support.acceptance })
  acceptance!: boolean;

  @Field(() => String, { nullable: true, description: support.panelUrl })
  panelUrl?: string;
}

@ObjectType({ description: 'What a defence is supported by.', simpleResolvers: true })
export class DisputeDocument {
  @Field(() => ID, { description: document.id })
  id!: string;

  @Field(() => String, { description: document.name })
  name!: string;

  @Field(() => String, { description: document.mediaType })
  mediaType!: DocumentType;

  @Field(() => Int, { description: document.bytes })
  bytes!: number;
}

@ObjectType({ description: 'A document of a defence with its content.', simpleResolvers: true })
export class OpenedDisputeDocument extends DisputeDocument {
  @Field(() => String, { description: opened.content })
  content!: string;
}

@ObjectType({ description: 'A dispute, and how it can be or was answered.', simpleResolvers: true })
export class DisputeDetailType extends DisputeType {
  @Field(() => String, { description: detail.provider })
  provider!: string;

  @Field(() => AnswerSupport, { description: detail.answering })
  answering!: AnswerSupport;

  @Field(() => String, { nullable: true, description: detail.statement })
  statement?: string;

  @Field(() => [DisputeDocument], { description: detail.documents })
  documents!: DisputeDocument[];
}

@InputType({ description: 'A document of a defence.' })
class DefenceDocumentInput {
  @Field(() => String, { description: given.name })
  name!: string;

  @Field(() => String, { description: given.content })
  content!: string;
}

@InputType({ description: 'What is said to a dispute.' })
export class DefendDisputeInput {
  @Field(() => String, { description: defence.statement })
  statement!: string;

  @Field(() => [DefenceDocumentInput], { nullable: true, description: defence.documents })
  documents?: DefenceDocumentInput[];
}

export const DisputeConnection = connectionType(DisputeType, {
  name: 'Dispute',
  nouns: 'disputes',
  order: 'the earliest deadline or the newest first',
});
