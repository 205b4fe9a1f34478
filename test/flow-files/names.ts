// What files in tests may name: as `lint` knows it.
import { flowTypes } from '../../contract/flows/flow-types.ts';
import type { KnownNames } from '../../flow-files/reading/names.ts';

export const namesForTests: KnownNames = {
  builtIn: flowTypes,
  published: null,
  connectors: null,
};
