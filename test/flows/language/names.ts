// Flow files in tests, and the names that they may use, in the form in which `lint` gets them.
import { expect } from 'vitest';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import type { FlowFile, Json, JsonObject } from '../../../flows/language/flow-file.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import type { KnownNames } from '../../../flows/language/reading/report.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import { play } from '../../../flows/simulation/play-story.ts';
import type { Step } from '../../../flows/simulation/story-file.ts';

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

/** The code and the path of each finding. */
export const findingsIn = (text: string): string[] =>
  readFlowFile(text, namesForTests).findings.map(({ code, path }) => `${code} ${path}`);

/** What differs from the steps of a story; empty if the story holds. */
export function differing(file: FlowFile, steps: string, input: Json = {}, then = {}): readonly string[] {
  const { data, findings } = parsedText(steps);
  expect(findings).toEqual([]);
  const given = { input: input as JsonObject };
  return play(file, { story: 'It is so.', given, then, steps: data as unknown as Step[] }).problems;
}
