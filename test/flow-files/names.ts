// The names that flow files in tests may use, in the form in which `lint` gets them.
import { flowTypes } from '../../contract/flows/flow-types.ts';
import type { KnownNames } from '../../flow-files/reading/names.ts';

export const namesForTests: KnownNames = {
  builtIn: flowTypes,
  published: null,
  connectors: null,
};
