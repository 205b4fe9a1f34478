// What a person may do to a process, or to an entry of the inbox, each with its consequence: the page shows it before it is
// done.
import { z } from 'zod';

export interface ChoiceField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'lines' | 'number' | 'yesNo' | 'date' | 'instant' | 'json' | 'select';
  readonly options?: readonly string[];
  /** What people read in their places, one for each. */
  readonly optionLabels?: readonly string[];
  readonly hint?: string;
  readonly optional?: true;
  /** Several of the options; the value has one on each line. */
  readonly many?: true;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Only a number or a date has it. */
  readonly min?: string;
  readonly max?: string;
  /** What is most likely meant. */
  readonly suggested?: string;
  /** An instant is later than the present end of what another field names: by the values of that field. */
  readonly extends?: { readonly field: string; readonly ends: Readonly<Record<string, string>> };
  /** The fields of the request that a value like issue.pickUp stands for, part by part; absent: the one of its own name. */
  readonly parts?: readonly string[];
  /** Other fields of the request: what is wrong with them is said here. */
  readonly saysFor?: readonly string[];
}

/** The request of the API that does it. */
export interface ChoiceRequest {
  readonly path: string;
  /** To which what is typed into the form is added; a name like values.cost is the field cost within values. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Choice {
  readonly id: string;
  /** On its button. */
  readonly label: string;
  /** What follows from it, in a sentence or two. */
  readonly consequence: string;
  readonly fields: readonly ChoiceField[];
  readonly request: ChoiceRequest;
  /** It cannot be taken back, or may do harm. */
  readonly isDestructive?: true;
}

export const choice = z
  .object({
    id: z.string(),
    label: z.string(),
    consequence: z.string(),
    fields: z.array(
      z.looseObject({
        name: z.string(),
        label: z.string(),
        kind: z.enum(['text', 'lines', 'number', 'yesNo', 'date', 'instant', 'json', 'select']),
        options: z.array(z.string()).optional(),
        optionLabels: z.array(z.string()).optional(),
        optional: z.literal(true).optional(),
      }),
    ),
    request: z
      .object({ path: z.string(), body: z.looseObject({}) })
      .meta({ description: 'The fields go into its body; `values.cost` is the field cost within values' }),
    isDestructive: z.literal(true).optional(),
  })
  .meta({ title: 'Choice' });
