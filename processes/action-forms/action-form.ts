// The form of one action that a person may take on a process or an inbox entry: its fields, its API request, and its
// consequence, which the page shows first. The API calls it a Choice.
import { z } from 'zod';

export interface ChoiceField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'lines' | 'number' | 'yesNo' | 'date' | 'instant' | 'json' | 'select';
  readonly options?: readonly string[];
  /** The text shown for each option, in the same order. */
  readonly optionLabels?: readonly string[];
  readonly hint?: string;
  readonly optional?: true;
  /** Several options may be selected; the value has one per line. */
  readonly many?: true;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** For a number or a date only. */
  readonly min?: string;
  readonly max?: string;
  /** The initial value. */
  readonly suggested?: string;
  /** The instant must be later than the current end of the item selected in `field`; `ends` has one for each option. */
  readonly extends?: { readonly field: string; readonly ends: Readonly<Record<string, string>> };
  /** The request fields that a dotted value such as issue.pickUp is split into; absent: the one named `name`. */
  readonly parts?: readonly string[];
  /** Request fields without an input, whose errors are shown at this field. */
  readonly saysFor?: readonly string[];
}

export const WHY_FIELD: ChoiceField = {
  name: 'why',
  label: 'Why',
  kind: 'lines',
  hint: 'It is kept, with your name.',
};

/** The API request that carries out the action. */
export interface ChoiceRequest {
  readonly path: string;
  /** Extended by the values of the form; a field name such as values.cost is nested. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Choice {
  readonly id: string;
  /** The label of its button. */
  readonly label: string;
  /** One or two sentences. */
  readonly consequence: string;
  readonly fields: readonly ChoiceField[];
  readonly request: ChoiceRequest;
  /** Irreversible, or possibly harmful. */
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
