import { z } from 'zod';
import { textSchema, withKnownMembers } from '../../base/parsing/parse.ts';
import { breaks, broken } from '../../base/problems/rules.ts';
import { tidied } from '../../base/typed.ts';

const states = 'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' ');

const textOf = (maximumLength: number, description: string) =>
  textSchema(maximumLength, tidied)
    .refine((text) => text !== '', breaks('must not be empty', broken('min_length', { minimum: 1 })))
    .meta({ description });

/**
 * Street, number, complement and district fit together into the 200 characters of `logradouro` in the API Pix 2.9.0, which has no
 * other member for them.
 */
export const addressSchema = z.strictObject(
  {
    street: textOf(100, 'Street.'),
    number: textOf(10, 'Number in the street, or `S/N`.'),
    complement: textOf(30, 'Apartment, block and the like.').optional(),
    district: textOf(50, 'District.').optional(),
    city: textOf(200, 'City.'),
    state: textSchema(2, (text) => tidied(text).toUpperCase())
      .refine(
        (text) => states.includes(text),
        breaks('must be one of the 27 states, such as SP', broken('one_of', { choices: states })),
      )
      .meta({ description: 'State, as two letters.' }),
    postalCode: textSchema(9, (text) => tidied(text).replace(/^(\d{5})-(\d{3})$/, '$1$2'))
      .refine((text) => /^\d{8}$/.test(text), breaks('must be a CEP of 8 digits', broken('format')))
      .meta({ description: 'CEP of 8 digits; `01310-100` is taken too.' }),
  },
  withKnownMembers,
);
