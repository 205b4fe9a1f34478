// Runs every flow on a real Temporal server, from its start to its result. Its outside follows the rules of machines/. In `npm test` a
// few of them; test/workflows/variants.test.ts plays all without Temporal.
import { describe, expect, test } from 'vitest';
import type { FlowResult } from '../../contract/flows/flow-result.ts';
import { flows as declared, newestOf } from '../../flows/flows.ts';
import { alikeLegs } from '../../workflows/shipments/ambiguity.ts';
import { spreadOf } from '../support/suite.ts';
import { Outside } from './outside.ts';
import { follows, runningFlows } from './running-flows.ts';
import { requestOf, stories } from './stories.ts';

const flows = runningFlows();

describe.each([{ isBare: false }, { isBare: true }])('with a peer that is bare: $isBare', (peer) => {
  test.concurrent.each(spreadOf(stories, 4, peer.isBare ? 1 : 0))(
    '$flow is done when every leg is',
    async (story) => {
      const outside = new Outside(peer);
      const handle = await flows.start(outside, story.flow, { request: await requestOf(story, outside) });
      await follows(handle);
      for (const [role, action] of story.actions) await outside.does(outside.uid(role), action);
      const result = (await handle.result()) as FlowResult;
      const known = Object.entries(result.shipments).map(([role, { shipmentUid, stateCode }]) => [
        role,
        shipmentUid,
        stateCode,
      ]);
      const expected = Object.entries(story.ends).map(([role, stateCode]) => [
        role,
        outside.roles.get(role as keyof typeof story.ends),
        stateCode,
      ]);
      expect(result.outcome).toBe('Done');
      // Within one second the flow cannot tell similar legs of a bare peer apart. It knows only that all are over.
      const alike = peer.isBare ? alikeLegs(newestOf(declared[story.flow as keyof typeof declared])) : [];
      if (alike.length > 0)
        expect(result.unassigned.map(({ stateCode }) => stateCode)).toEqual(alike.map(() => 'Completed'));
      else expect(new Set(known)).toEqual(new Set(expected));
      expect(outside.parked).toEqual([]);
    },
  );
});
