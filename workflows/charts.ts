// The built-in flows as they are declared, by name: flow files, and one chart.
import type { Versions } from '../flows/built-in/declaration.ts';
import { declarations, flows } from '../flows/built-in/flows.ts';
import type { FlowFile } from '../flows/language/flow-file.ts';
import { fileOf, filesOf } from '../flows/shipped/files.ts';
import { onboardingChart } from './accounts/chart.ts';
import type { ChartData } from './chart-data.ts';

/** Each in its newest version. */
export const shippedFiles: Readonly<Record<string, FlowFile>> = Object.fromEntries(
  declarations.map((flow) => [flow.name, fileOf(flow)]),
);

export const shippedVersions: Readonly<Record<string, Readonly<Record<number, FlowFile>>>> =
  Object.fromEntries(Object.entries<Versions>(flows).map(([name, versions]) => [name, filesOf(versions)]));

export const charts: Readonly<Record<string, ChartData>> = { OnboardAccount: onboardingChart };
