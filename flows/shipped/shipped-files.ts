// The built-in flows as flow files, by name: those that book, and OnboardAccount.
import type { Versions } from '../built-in/declaration.ts';
import { flows, newestVersionOf } from '../built-in/flows.ts';
import type { FlowFile } from '../language/flow-file.ts';
import { filesOf } from './files.ts';
import { onboardAccountVersions } from './onboard-account.ts';

export const shippedVersions: Readonly<Record<string, Readonly<Record<number, FlowFile>>>> = {
  ...Object.fromEntries(Object.entries<Versions>(flows).map(([name, versions]) => [name, filesOf(versions)])),
  OnboardAccount: onboardAccountVersions,
};

/** Each in its newest version. */
export const shippedFiles: Readonly<Record<string, FlowFile>> = Object.fromEntries(
  Object.entries(shippedVersions).map(([name, versions]) => [
    name,
    versions[newestVersionOf(versions)] as FlowFile,
  ]),
);
