// What a person may do to a process, or to an entry of the inbox, each with its consequence: the page shows it before it is
// done.

export interface ChoiceField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'lines' | 'number' | 'yesNo' | 'date' | 'instant' | 'json' | 'select';
  readonly options?: readonly string[];
  readonly hint?: string;
  readonly optional?: true;
  /** What is most likely meant. */
  readonly suggested?: string;
}

export interface Choice {
  readonly id: string;
  /** On its button. */
  readonly label: string;
  /** What follows from it, in a sentence or two. */
  readonly consequence: string;
  readonly fields: readonly ChoiceField[];
  /** It cannot be taken back, or may do harm. */
  readonly isDestructive?: true;
}
