// Flow files in tests, and the names that they may use, in the form in which `lint` gets them.
import { expect } from 'vitest';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import type { KnownNames } from '../../../flows/language/reading/report.ts';

export const namesForTests: KnownNames = {
  builtIn: flowTypes,
  published: null,
  connectors: null,
};

/** A file without findings. */
export function fileOf(text: string): FlowFile {
  const { file, findings } = readFlowFile(text, namesForTests);
  expect(findings).toEqual([]);
  return file as FlowFile;
}
