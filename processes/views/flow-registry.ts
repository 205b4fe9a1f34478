// The flows by name: those that come with lockerflow first, then the published flow files.
import type { Client } from '@temporalio/client';
import { publishedFlow } from '../../client/flow-files/published-flows.ts';
import { type FlowType, flowTypes, isBuiltIn } from '../../contract/flows/flow-types.ts';
import { type ChartView, chartView } from '../../engine/chart/chart-view.ts';
import { chartWithLegs } from '../../flows/booking/drawn-bookings.ts';
import { newestVersionOf } from '../../flows/built-in/flows.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { idleMachineOf } from '../../flows/language/machine/machine.ts';
import type { CurrentVersion } from '../../flows/language/registry.ts';
import { shippedFiles, shippedVersions } from '../../flows/shipped/shipped-files.ts';
import type { TemporalContext } from '../temporal-context.ts';

interface ShippedFlow {
  readonly kind: 'shipped';
  readonly name: FlowType;
  readonly file: FlowFile;
  /** The newest of this package. Workers of another one, or that keep it dark, begin new processes on another. */
  readonly version: number;
  readonly newest: number;
}

interface PublishedFlow extends CurrentVersion {
  readonly kind: 'published';
  readonly name: string;
}

export type RegisteredFlow = ShippedFlow | PublishedFlow;

interface UnpublishedFlow {
  readonly kind: 'unpublished';
  readonly name: string;
  readonly file: FlowFile;
}

/** What is shown as a flow: also a file before it is published. */
export type ShownFlow = RegisteredFlow | UnpublishedFlow;

export function shippedFlow(name: FlowType): ShippedFlow {
  const newest = newestVersionOf(shippedVersions[name] ?? {});
  return { kind: 'shipped', name, file: shippedFiles[name] as FlowFile, version: newest, newest };
}

export const shippedFlows = (): ShippedFlow[] => flowTypes.map(shippedFlow);

export const unpublishedFlow = (file: FlowFile): UnpublishedFlow => ({
  kind: 'unpublished',
  name: file.name,
  file,
});

export const publishedAs = (published: CurrentVersion): PublishedFlow => ({
  kind: 'published',
  name: published.file.name,
  ...published,
});

/** In its current version. Shipped flows are found without a query. */
export async function findFlow(client: Client, name: string): Promise<RegisteredFlow | undefined> {
  if (isBuiltIn(name)) return shippedFlow(name);
  const published = await publishedFlow(client, name);
  return published && publishedAs(published);
}

/** The same. Throws FlowNotPublished, which names the nearest one. */
export const flowNamed = async (
  { flows }: Pick<TemporalContext, 'flows'>,
  name: string,
): Promise<RegisteredFlow> =>
  isBuiltIn(name) ? shippedFlow(name) : publishedAs(await flows.publishedAs(name));

/** As its processes show it. */
export const chartOf = ({ file }: ShownFlow): ChartView =>
  chartWithLegs(chartView(idleMachineOf(file)), file);
