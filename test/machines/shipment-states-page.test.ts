// docs/shipment-states.md is what the chart says today.

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { shipmentStatesPage } from '../../docs/shipment-states.ts';

it('the page of the shipment states is current (npm run docs writes it)', async () => {
  const page = await readFile(new URL('../../docs/shipment-states.md', import.meta.url), 'utf8');
  expect(page).toBe(shipmentStatesPage());
});
