// What the page gets to show of what a person may do.
export type { Choice, ChoiceField, ChoiceRequest } from '../../processes/choices/choice.ts';
